"""One WebSocket between a bot and the gateway."""

import asyncio
import json
import logging
from collections import deque
from collections.abc import Mapping
from typing import Any

from aiohttp import WSCloseCode, WSMsgType, web

from sandbox import payloads
from sandbox.events import Intent
from sandbox.forms import snowflake
from sandbox.gateway import codec
from sandbox.gateway.codec import COMPRESSORS, Compressor
from sandbox.gateway.context import Close, GatewayContext, Op
from sandbox.model import JSON, Guild
from sandbox.sessions import Session

HEARTBEAT_MS = 41_250
MAX_PAYLOAD_BYTES = 4096
MAX_SENDS = 120
SENDS_WINDOW_S = 60.0

_log = logging.getLogger(__name__)
_CHUNK = 1000
_KNOWN_INTENTS = (1 << 26) - 1
_CLEAN = frozenset({WSCloseCode.OK, WSCloseCode.GOING_AWAY})


class Connection:
    """One WebSocket. Outgoing payloads are queued, so that the state needn't wait."""

    def __init__(
        self,
        context: GatewayContext,
        socket: web.WebSocketResponse,
        transport: asyncio.Transport | None,
        compression: str,
    ) -> None:
        self._context = context
        self._state, self._sessions, self._faults = context.state, context.sessions, context.faults
        self._socket = socket
        self._transport = transport
        self._outgoing: asyncio.Queue[str | Close] = asyncio.Queue()
        self._compression = compression
        self._compress: Compressor | None = None
        self._session: Session | None = None
        self._received: deque[float] = deque(maxlen=MAX_SENDS)
        self._over = asyncio.Event()

    async def run(self, query: Mapping[str, str]) -> None:
        """Exchange payloads until one side closes."""
        writer = asyncio.create_task(self._write())
        resumable = True
        try:
            self._check_query(query)
            self.send(Op.HELLO, {"heartbeat_interval": HEARTBEAT_MS, "_trace": ["sandbox"]})
            async for message in self._socket:
                if message.type in {WSMsgType.TEXT, WSMsgType.BINARY}:
                    self._receive(message.data)
            # aiohttp stores the other side's close code here.
            resumable = self._socket.close_code not in _CLEAN
        except Close as close:
            self._outgoing.put_nowait(close)
            await writer
        except Exception as error:
            _log.exception("gateway connection failed")
            self._state.crashes.append(error)
            self._outgoing.put_nowait(Close(4000, "Unknown error."))
            await writer
        finally:
            writer.cancel()
            self._leave(resumable=resumable)
            self._over.set()

    def _check_query(self, query: Mapping[str, str]) -> None:
        if query.get("v", "10") != "10":
            raise Close(4012, "Invalid API version")
        if query.get("encoding", "json") != "json":
            raise Close(4002, "Only encoding=json is spoken here")
        if self._compression:
            try:
                self._compress = COMPRESSORS[self._compression]()
            except (KeyError, ImportError):
                raise Close(4002, "Unknown compression") from None

    def _leave(self, *, resumable: bool) -> None:
        session = self._session
        if session is not None and session.connection is self:
            session.lost()
            if not resumable:
                self._sessions.by_id.pop(session.id, None)
            self._state.readiness.fire(self._state)

    def send(self, op: int, data: Any) -> None:
        """Send a payload that is not an event."""
        self.send_text(json.dumps({"t": None, "s": None, "op": op, "d": data}))

    def send_text(self, payload: str) -> None:
        self._outgoing.put_nowait(payload)

    async def close(self, code: int, reason: str) -> None:
        """Close the WebSocket after the queued payloads have been sent.

        The session can still be resumed.
        """
        self._leave(resumable=True)
        self._session = None
        self._outgoing.put_nowait(Close(code, reason))
        await self._over.wait()

    def cut(self) -> None:
        """End the connection as if a cable broke. The session can still be resumed."""
        if self._transport is not None:
            self._transport.abort()

    def _tear(self, payload: str) -> None:
        """End the connection in the middle of a frame."""
        if self._transport is not None:
            self._transport.write(codec.frame(payload, self._compress)[:-1])
            self._transport.close()

    async def _write(self) -> None:
        while True:
            payload = await self._outgoing.get()
            if isinstance(payload, Close):
                await self._socket.close(code=payload.code, message=payload.reason.encode())
                return
            if self._faults.tears_payload():
                self._tear(payload)
                return
            try:
                if self._compress is None:
                    await self._socket.send_str(payload)
                else:
                    await self._socket.send_bytes(self._compress(payload))
            except ConnectionError:
                return  # the reading side detects it, too

    def _receive(self, raw: str | bytes) -> None:
        if len(raw) > MAX_PAYLOAD_BYTES:
            raise Close(4002, "Error while decoding payload.")
        self._count()
        try:
            payload = json.loads(raw)
            op, data = payload["op"], payload.get("d")
        except (ValueError, TypeError, KeyError, AttributeError):
            raise Close(4002, "Error while decoding payload.") from None
        if op == Op.HEARTBEAT:
            if self._faults.hides_heartbeat():
                return
            self.send(Op.HEARTBEAT_ACK, None)
        elif op == Op.IDENTIFY:
            self._identify(data)
        elif op == Op.RESUME:
            self._resume(data)
        elif op == Op.REQUEST_MEMBERS:
            self._request_members(data)
        elif op not in {Op.PRESENCE, Op.VOICE_STATE}:
            raise Close(4001, "Unknown opcode.")
        elif self._session is None:
            raise Close(4003, "Not authenticated.")

    def _count(self) -> None:
        now_s = self._state.now()
        if len(self._received) == MAX_SENDS and now_s - self._received[0] < SENDS_WINDOW_S:
            raise Close(4008, "Rate limited.")
        self._received.append(now_s)

    def _authenticate(self, data: Any) -> JSON:
        if self._session is not None:
            raise Close(4005, "Already authenticated.")
        if not isinstance(data, dict) or data.get("token") is None:
            raise Close(4002, "Error while decoding payload.")
        # Some clients prefix it with "Bot ", which Discord also accepts.
        is_known = str(data["token"]).removeprefix("Bot ") == self._context.token
        if not is_known or self._state.gateway.token_reset:
            raise Close(4004, "Authentication failed.")
        return data

    def _identify(self, raw: Any) -> None:
        data = self._authenticate(raw)
        self._sessions.forget_stale()
        if "properties" not in data:
            raise Close(4002, "Error while decoding payload.")
        shard, shards = self._shard(data.get("shard", (0, 1)))
        intents = self._intents(data.get("intents"))
        if not self._may_begin(shard):
            return
        session = Session(self._state, intents, shard, shards)
        self._attach(session)
        self._sessions.by_id[session.id] = session
        faults, guilds = self._faults, self._guilds(session)
        ready = self._ready(session, guilds)
        if faults.spoils_ready():
            del ready["user"]
        session.dispatch("READY", json.dumps(ready))
        for guild in guilds:
            if not faults.is_away(guild.id, unannounced=False):
                created = payloads.guild_create(guild, self._state.bot)
                session.dispatch("GUILD_CREATE", json.dumps(created))
        self._state.readiness.fire(self._state)
        code = faults.ends_session()
        if code is not None:
            del self._sessions.by_id[session.id]
            raise Close(code, "Session ended.")

    def _may_begin(self, shard: int) -> bool:
        """Count a session start.

        Return True if Discord allows it.

        Raises:
            Close: if it was one too many. The token is then reset.
        """
        terms = self._state.gateway
        terms.identify(self._state.now())
        if terms.token_reset:
            self._sessions.expel()
            raise Close(4004, "Authentication failed.")
        key = str(shard % terms.max_concurrency)
        if self._context.limiter.check("identify", key, exempt=True).refusal is not None:
            self.send(Op.INVALID_SESSION, False)
            return False
        resumable = self._faults.invalidates()
        if resumable is not None:
            self.send(Op.INVALID_SESSION, resumable)
        return resumable is None

    def _attach(self, session: Session) -> None:
        self._session = session
        session.connection = self
        session.lost_at = None

    @staticmethod
    def _shard(pair: Any) -> tuple[int, int]:
        try:
            shard, shards = map(int, pair)
        except (TypeError, ValueError):
            raise Close(4010, "Invalid shard.") from None
        if not 0 <= shard < shards:
            raise Close(4010, "Invalid shard.")
        return shard, shards

    def _intents(self, value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value & ~_KNOWN_INTENTS:
            raise Close(4013, "Invalid intent(s).")
        application = self._state.application
        allowed = {
            Intent.GUILD_MEMBERS: application.guild_members,
            Intent.GUILD_PRESENCES: application.guild_presences,
            Intent.MESSAGE_CONTENT: application.message_content,
        }
        if any(value & intent and not on for intent, on in allowed.items()):
            raise Close(4014, "Disallowed intent(s).")
        return value

    def _guilds(self, session: Session) -> list[Guild]:
        if not session.intents & Intent.GUILDS:
            return []
        bot = self._state.bot
        guilds = self._state.guilds.values()
        return [guild for guild in guilds if bot.id in guild.members and session.serves(guild.id)]

    def _ready(self, session: Session, guilds: list[Guild]) -> JSON:
        application = self._state.application
        return {
            "v": 10,
            "user": payloads.current_user(self._state.bot),
            "user_settings": {},
            "session_type": "normal",
            "session_id": session.id,
            "resume_gateway_url": self._state.base_url.replace("http", "ws", 1),
            "relationships": [],
            "private_channels": [],
            "presences": [],
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "guild_join_requests": [],
            "geo_ordered_rtc_regions": [],
            "shard": [session.shard, session.shards],
            "application": {"id": str(application.id), "flags": application.flags},
            "_trace": ["sandbox"],
        }

    def _resume(self, raw: Any) -> None:
        data = self._authenticate(raw)
        resumable = self._faults.invalidates()
        if resumable is not None:
            self.send(Op.INVALID_SESSION, resumable)
            return
        session = self._sessions.by_id.get(str(data.get("session_id")))
        if session is None or not session.resumable or self._faults.refuses_resume():
            self.send(Op.INVALID_SESSION, False)
            return
        sequence = data.get("seq")
        if not isinstance(sequence, int) or sequence > session.sequence:
            raise Close(4007, "Invalid `seq`.")
        # The first payload is READY, which is never replayed.
        missed = session.since(max(1, sequence - self._faults.repeats()))
        if missed is None:
            self.send(Op.INVALID_SESSION, False)
            return
        old = session.connection
        self._attach(session)
        if old is not None:
            old.supersede()
        for payload in missed:
            self.send_text(payload)
        session.dispatch("RESUMED", json.dumps({"_trace": ["sandbox"]}))
        self._state.readiness.fire(self._state)

    def ask_to_reconnect(self) -> None:
        self.send(Op.RECONNECT, None)

    def invalidate(self, *, resumable: bool) -> None:
        """Invalidate the session by op 9.

        If the session is not resumable, the bot can identify again on this WebSocket.
        """
        self.send(Op.INVALID_SESSION, resumable)
        if not resumable:
            self._session = None

    def expel(self) -> None:
        """End the connection because the token is no longer valid."""
        self._session = None
        self._outgoing.put_nowait(Close(4004, "Authentication failed."))

    def supersede(self) -> None:
        """Close because another WebSocket has taken over the session."""
        self._session = None
        self._outgoing.put_nowait(Close(4000, "Resumed elsewhere."))

    def _request_members(self, data: Any) -> None:
        session = self._session
        if session is None:
            raise Close(4003, "Not authenticated.")
        if not isinstance(data, dict):
            raise Close(4002, "Error while decoding payload.")
        guild = self._state.guilds.get(snowflake(data.get("guild_id")) or 0)
        if guild is None or self._faults.leaves_unanswered(guild.id):
            return
        ids = data.get("user_ids")
        not_found: list[str] = []
        if ids is not None:
            user_ids = [
                snowflake(value) or 0 for value in (ids if isinstance(ids, list) else [ids])
            ]
            members = [guild.members[number] for number in user_ids if number in guild.members]
            not_found = [str(number) for number in user_ids if number not in guild.members]
        else:
            query = str(data.get("query", "")).lower()
            limit = int(data.get("limit") or 0)
            if not query and not limit and not session.intents & Intent.GUILD_MEMBERS:
                raise Close(4014, "Disallowed intent(s).")
            everybody = guild.members.values()
            members = [member for member in everybody if member.user.name.lower().startswith(query)]
            members = members[:limit] if limit else members
        chunks = [members[n : n + _CHUNK] for n in range(0, len(members), _CHUNK)] or [[]]
        for n, chunk in enumerate(chunks):
            answer: JSON = {
                "guild_id": str(guild.id),
                "members": [payloads.member(member) for member in chunk],
                "chunk_index": n,
                "chunk_count": len(chunks),
                "not_found": not_found,
            }
            if data.get("nonce") is not None:
                answer["nonce"] = data["nonce"]
            if data.get("presences"):
                answer["presences"] = []
            if not self._faults.hides_event():
                session.dispatch("GUILD_MEMBERS_CHUNK", json.dumps(answer))
