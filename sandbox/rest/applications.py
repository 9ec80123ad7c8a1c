"""Routes about the bot itself, its application, the gateway and its commands."""

from sandbox import commands, payloads
from sandbox.errors import missing_access
from sandbox.model import JSON
from sandbox.router import Call, Router

router = Router()


@router.route("GET", "/users/@me")
def current_user(call: Call) -> JSON:
    return payloads.current_user(call.state.bot)


@router.route("GET", "/applications/@me")
@router.route("GET", "/oauth2/applications/@me")
def application(call: Call) -> JSON:
    state = call.state
    return payloads.application(state.application, state.bot, len(state.guilds))


@router.route("GET", "/gateway", open=True)
def gateway(call: Call) -> JSON:
    """Return the gateway's URL."""
    return {"url": _gateway_url(call)}


@router.route("GET", "/gateway/bot")
def gateway_bot(call: Call) -> JSON:
    """Return the gateway's URL, and the number of shards that Discord recommends."""
    terms, now_s = call.state.gateway, call.state.now()
    return {
        "url": _gateway_url(call),
        "shards": terms.shards,
        "session_start_limit": {
            "total": terms.total,
            "remaining": terms.remaining(now_s),
            "reset_after": round(terms.reset_after_s(now_s) * 1_000),
            "max_concurrency": terms.max_concurrency,
        },
    }


def _gateway_url(call: Call) -> str:
    return call.state.base_url.replace("http", "ws", 1)


def _require_own(call: Call) -> None:
    if call.params["application_id"] != call.state.application.id:
        raise missing_access()


_COMMANDS = "/applications/{application_id}/commands"


@router.route("GET", _COMMANDS)
def list_commands(call: Call) -> list[JSON]:
    """Return all commands of the application."""
    _require_own(call)
    return list(call.state.application.commands.values())


@router.route("PUT", _COMMANDS, "commands")
def set_commands(call: Call) -> list[JSON]:
    _require_own(call)
    return commands.set_all(call.state, call.body)
