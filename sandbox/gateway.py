"""The gateway: websockets, sessions that outlive them, and what each of them is told."""

import asyncio
import json
import secrets
import zlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from aiohttp import WSCloseCode, WSMsgType, web

from sandbox import payloads
from sandbox.events import Event, Intent
from sandbox.forms import snowflake
from sandbox.model import JSON, Guild
from sandbox.state import State

HEARTBEAT_MS = 41_250
MAX_PAYLOAD_BYTES = 4096
MAX_SENDS = 120
SENDS_WINDOW_S = 60.0
RESUMABLE_S = 180.0
"""How long a session waits for its bot: minutes, says Discord."""

_REPLAY = 1000
_CHUNK = 1000
_KNOWN_INTENTS = (1 << 26) - 1
_CLEAN = frozenset({WSCloseCode.OK, WSCloseCode.GOING_AWAY})


class Op:
    """Gateway opcodes."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    VOICE_STATE = 4
    RESUME = 6
    RECONNECT = 7
    REQUEST_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class Close(Exception):  # noqa: N818 - it closes a socket, which is no error here
    """The gateway closes the socket with a code and a reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{code} {reason}")
        self.code = code
        self.reason = reason


class Compressor(Protocol):
    """Turns each payload into the next bytes of one compressed stream."""

    def __call__(self, payload: str) -> bytes:
        """The bytes of one payload."""


def _zlib_stream() -> Compressor:
    stream = zlib.compressobj()

    def compress(payload: str) -> bytes:
        return stream.compress(payload.encode()) + stream.flush(zlib.Z_SYNC_FLUSH)

    return compress


def _zstd_stream() -> Compressor:
    # Only a client that has the codec itself asks for it.
    import zstandard  # noqa: PLC0415

    stream = zstandard.ZstdCompressor().compressobj()

    def compress(payload: str) -> bytes:
        return stream.compress(payload.encode()) + stream.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)

    return compress


_COMPRESSORS: dict[str, Callable[[], Compressor]] = {
    "zlib-stream": _zlib_stream,
    "zstd-stream": _zstd_stream,
}


@dataclass(eq=False)
class Session:
    """A bot's shard, as the gateway remembers it over broken connections."""

    state: State
    intents: int
    shard: int
    shards: int
    id: str = field(default_factory=lambda: secrets.token_hex(16))
    sequence: int = 0
    sent: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=_REPLAY))
    connection: "Connection | None" = None
    lost_at: float | None = None

    @property
    def connected(self) -> bool:
        """Whether a bot hears what is dispatched."""
        return self.connection is not None

    def hears(self, event: Event) -> bool:
        """Whether an event is for this session: its intents and its shard."""
        if event.intent and not self.intents & event.intent:
            return False
        return self.serves(event.guild_id)

    def serves(self, guild_id: int | None) -> bool:
        """Whether a guild (None: direct messages) belongs to its shard."""
        return (0 if guild_id is None else guild_id >> 22) % self.shards == self.shard

    def dispatch(self, name: str, data: str) -> None:
        """Send an event, or keep it for when the bot resumes; ``data`` is JSON text."""
        self.sequence += 1
        payload = f'{{"t":"{name}","s":{self.sequence},"op":0,"d":{data}}}'
        self.sent.append((self.sequence, payload))
        if self.connection is not None:
            self.connection.send_text(payload)

    def since(self, after: int) -> list[str] | None:
        """The payloads that came after a sequence number; None where some are forgotten."""
        if self.sent and after < self.sent[0][0] - 1:
            return None
        return [payload for number, payload in self.sent if number > after]

    def lost(self, *, resumable: bool) -> None:
        """The connection is gone."""
        self.connection = None
        self.lost_at = self.state.now() if resumable else float("-inf")

    @property
    def resumable(self) -> bool:
        """Whether the bot may still come back to it."""
        return self.lost_at is None or self.state.now() - self.lost_at < RESUMABLE_S


class Gateway:
    """All sessions of the bot, and the door to them."""

    def __init__(self, state: State, token: str) -> None:
        self.state = state
        self.token = token
        self.sessions: dict[str, Session] = {}
        self.connections: set[Connection] = set()
        state.listeners.append(self.dispatch)

    def dispatch(self, event: Event) -> None:
        """Tell every session that an event is for."""
        full = bare = ""
        for session in tuple(self.sessions.values()):
            if not session.hears(event):
                continue
            if event.bare is not None and not session.intents & Intent.MESSAGE_CONTENT:
                bare = bare or json.dumps(event.bare)
                session.dispatch(event.name, bare)
            else:
                full = full or json.dumps(event.data)
                session.dispatch(event.name, full)

    @property
    def connected(self) -> bool:
        """Whether a bot is connected and has identified."""
        return any(session.connected for session in self.sessions.values())

    def listening(self, guild_id: int | None) -> bool:
        """Whether a bot is connected that hears of a guild (None: of direct messages)."""
        return any(s.connected and s.serves(guild_id) for s in self.sessions.values())

    async def handle(self, request: web.BaseRequest) -> web.WebSocketResponse:
        """Serve one websocket from its opening to its end."""
        socket = web.WebSocketResponse(compress=False, max_msg_size=0, autoping=True)
        await socket.prepare(request)
        connection = Connection(self, socket, request.query.get("compress", ""))
        self.connections.add(connection)
        try:
            await connection.run(request.query)
        finally:
            self.connections.discard(connection)
        return socket

    def forget_stale(self) -> None:
        """Drop sessions to which no bot may come back."""
        self.sessions = {key: s for key, s in self.sessions.items() if s.resumable}

    async def close(self, code: int, reason: str) -> None:
        """Close every socket; sessions stay resumable."""
        await asyncio.gather(*(one.close(code, reason) for one in tuple(self.connections)))

    def ask_to_reconnect(self) -> None:
        """Send op 7 to every bot."""
        for connection in self.connections:
            connection.send(Op.RECONNECT, None)

    def invalidate(self, *, resumable: bool) -> None:
        """Send op 9 to every bot; a session that is not resumable is forgotten."""
        if not resumable:
            self.sessions.clear()
        for connection in self.connections:
            connection.send(Op.INVALID_SESSION, resumable)


class Connection:
    """One websocket; what it is to send waits in a queue, so that the state need not wait."""

    def __init__(self, gateway: Gateway, socket: web.WebSocketResponse, compression: str) -> None:
        self._gateway = gateway
        self._state = gateway.state
        self._socket = socket
        self._outgoing: asyncio.Queue[str | Close] = asyncio.Queue()
        self._compression = compression
        self._compress: Compressor | None = None
        self._session: Session | None = None
        self._received: deque[float] = deque(maxlen=MAX_SENDS)
        self._over = asyncio.Event()

    async def run(self, query: Any) -> None:
        """Talk until one side closes."""
        writer = asyncio.create_task(self._write())
        resumable = True
        try:
            self._check_query(query)
            self.send(Op.HELLO, {"heartbeat_interval": HEARTBEAT_MS, "_trace": ["sandbox"]})
            async for message in self._socket:
                if message.type in {WSMsgType.TEXT, WSMsgType.BINARY}:
                    self._receive(message.data)
            # aiohttp keeps here the code with which the other side closed.
            resumable = self._socket.close_code not in _CLEAN
        except Close as close:
            self._outgoing.put_nowait(close)
            await writer
        finally:
            writer.cancel()
            self._leave(resumable=resumable)
            self._over.set()

    def _check_query(self, query: Any) -> None:
        if query.get("v", "10") != "10":
            raise Close(4012, "Invalid API version")
        if query.get("encoding", "json") != "json":
            raise Close(4002, "Only encoding=json is spoken here")
        if self._compression:
            if self._compression not in _COMPRESSORS:
                raise Close(4002, "Unknown compression")
            self._compress = _COMPRESSORS[self._compression]()

    def _leave(self, *, resumable: bool) -> None:
        session = self._session
        if session is not None and session.connection is self:
            session.lost(resumable=resumable)
            self._state.readiness.fire(self._state)

    def send(self, op: int, data: Any) -> None:
        """Send anything but an event."""
        self.send_text(json.dumps({"t": None, "s": None, "op": op, "d": data}))

    def send_text(self, payload: str) -> None:
        """Send a payload."""
        self._outgoing.put_nowait(payload)

    async def close(self, code: int, reason: str) -> None:
        """Close the socket after what waits has been sent; the session stays resumable."""
        self._leave(resumable=True)
        self._session = None
        self._outgoing.put_nowait(Close(code, reason))
        await self._over.wait()

    async def _write(self) -> None:
        while True:
            payload = await self._outgoing.get()
            if isinstance(payload, Close):
                await self._socket.close(code=payload.code, message=payload.reason.encode())
                return
            try:
                if self._compress is None:
                    await self._socket.send_str(payload)
                else:
                    await self._socket.send_bytes(self._compress(payload))
            except ConnectionError:
                return  # the reading side notices too

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
        # Some clients write "Bot " before it, which Discord takes as well.
        if str(data["token"]).removeprefix("Bot ") != self._gateway.token:
            raise Close(4004, "Authentication failed.")
        return data

    def _identify(self, raw: Any) -> None:
        data = self._authenticate(raw)
        self._gateway.forget_stale()
        if "properties" not in data:
            raise Close(4002, "Error while decoding payload.")
        shard, shards = self._shard(data.get("shard", (0, 1)))
        intents = self._intents(data.get("intents"))
        self._state.gateway.identifies += 1
        session = Session(self._state, intents, shard, shards)
        self._attach(session)
        self._gateway.sessions[session.id] = session
        guilds = self._guilds(session)
        session.dispatch("READY", json.dumps(self._ready(session, guilds)))
        for guild in guilds:
            created = payloads.guild_create(guild, self._state.bot)
            session.dispatch("GUILD_CREATE", json.dumps(created))
        self._state.readiness.fire(self._state)

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
        session = self._gateway.sessions.get(str(data.get("session_id")))
        if session is None or not session.resumable:
            self.send(Op.INVALID_SESSION, False)
            return
        sequence = data.get("seq")
        if not isinstance(sequence, int) or sequence > session.sequence:
            raise Close(4007, "Invalid `seq`.")
        missed = session.since(sequence)
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

    def supersede(self) -> None:
        """Another socket has taken the session over."""
        self._session = None
        self._outgoing.put_nowait(Close(4000, "Resumed elsewhere."))

    def _request_members(self, data: Any) -> None:
        session = self._session
        if session is None:
            raise Close(4003, "Not authenticated.")
        guild = self._state.guilds.get(snowflake(data.get("guild_id")) or 0)
        if guild is None:
            return
        ids = data.get("user_ids")
        not_found: list[str] = []
        if ids is not None:
            wanted = [snowflake(value) or 0 for value in (ids if isinstance(ids, list) else [ids])]
            found = [guild.members[number] for number in wanted if number in guild.members]
            not_found = [str(number) for number in wanted if number not in guild.members]
        else:
            query = str(data.get("query", "")).lower()
            limit = int(data.get("limit") or 0)
            if not query and not limit and not session.intents & Intent.GUILD_MEMBERS:
                raise Close(4014, "Disallowed intent(s).")
            everybody = guild.members.values()
            found = [one for one in everybody if one.user.name.lower().startswith(query)]
            found = found[:limit] if limit else found
        chunks = [found[n : n + _CHUNK] for n in range(0, len(found), _CHUNK)] or [[]]
        for n, chunk in enumerate(chunks):
            answer: JSON = {
                "guild_id": str(guild.id),
                "members": [payloads.member(one) for one in chunk],
                "chunk_index": n,
                "chunk_count": len(chunks),
                "not_found": not_found,
            }
            if data.get("nonce") is not None:
                answer["nonce"] = data["nonce"]
            if data.get("presences"):
                answer["presences"] = []
            session.dispatch("GUILD_MEMBERS_CHUNK", json.dumps(answer))
