"""Routes about the bot itself, its application, the gateway and its commands."""

from sandbox import commands, payloads
from sandbox.errors import missing_access, unknown_command, unknown_guild
from sandbox.model import JSON
from sandbox.router import NO_CONTENT, Call, Reply, Router

router = Router()


@router.route("GET", "/users/@me")
def current_user(call: Call) -> JSON:
    """The bot."""
    return payloads.current_user(call.state.bot)


@router.route("GET", "/applications/@me")
@router.route("GET", "/oauth2/applications/@me")
def application(call: Call) -> JSON:
    """The bot's application."""
    state = call.state
    return payloads.application(state.application, state.bot, len(state.guilds))


@router.route("GET", "/gateway", open=True)
def gateway(call: Call) -> JSON:
    """Where the gateway is."""
    return {"url": _gateway_url(call)}


@router.route("GET", "/gateway/bot")
def gateway_bot(call: Call) -> JSON:
    """Where the gateway is, and how many shards Discord would like."""
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


def _scope(call: Call) -> tuple[dict[int, JSON], int | None]:
    application = call.state.application
    if call.params["application_id"] != application.id:
        raise missing_access()
    guild_id: int | None = call.params.get("guild_id")
    if guild_id is None:
        return application.commands, None
    if guild_id not in call.state.guilds:
        raise unknown_guild()
    if call.state.bot.id not in call.state.guilds[guild_id].members:
        raise missing_access()
    return application.guild_commands.setdefault(guild_id, {}), guild_id


_GLOBAL = "/applications/{application_id}/commands"
_LOCAL = "/applications/{application_id}/guilds/{guild_id}/commands"


@router.route("GET", _GLOBAL)
@router.route("GET", _LOCAL)
def list_commands(call: Call) -> list[JSON]:
    """All commands of the application, or of one guild."""
    scope, _ = _scope(call)
    return list(scope.values())


@router.route("PUT", _GLOBAL, "commands")
@router.route("PUT", _LOCAL, "commands")
def set_commands(call: Call) -> list[JSON]:
    """Replace all commands."""
    scope, guild_id = _scope(call)
    return commands.set_all(call.state, scope, call.body, guild_id)


@router.route("POST", _GLOBAL, "commands")
@router.route("POST", _LOCAL, "commands")
def create_command(call: Call) -> Reply:
    """Add or replace one command."""
    scope, guild_id = _scope(call)
    before = len(scope)
    answer = commands.upsert(call.state, scope, call.body, guild_id)
    return Reply(201 if len(scope) > before else 200, answer)


@router.route("GET", _GLOBAL + "/{command_id}")
@router.route("GET", _LOCAL + "/{command_id}")
def get_command(call: Call) -> JSON:
    """One command."""
    scope, _ = _scope(call)
    return _command(call, scope)


@router.route("PATCH", _GLOBAL + "/{command_id}", "commands")
@router.route("PATCH", _LOCAL + "/{command_id}", "commands")
def edit_command(call: Call) -> JSON:
    """Change parts of one command."""
    scope, _ = _scope(call)
    return commands.edit(call.state, scope, _command(call, scope), call.body)


@router.route("DELETE", _GLOBAL + "/{command_id}", "commands")
@router.route("DELETE", _LOCAL + "/{command_id}", "commands")
def delete_command(call: Call) -> Reply:
    """Take one command away."""
    scope, _ = _scope(call)
    _command(call, scope)
    del scope[call.params["command_id"]]
    return NO_CONTENT


def _command(call: Call, scope: dict[int, JSON]) -> JSON:
    command = scope.get(call.params["command_id"])
    if command is None:
        raise unknown_command()
    return command
