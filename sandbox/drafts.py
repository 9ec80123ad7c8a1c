"""Parses and validates the message bodies of requests, before they become messages."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sandbox import components, embeds
from sandbox.errors import Form, empty_message, too_large
from sandbox.forms import Fields
from sandbox.kinds import MessageFlag
from sandbox.mentions import AllowedMentions
from sandbox.model import JSON

MAX_CONTENT = 2000
MAX_CONTENT_WITH_NITRO = 4000
MAX_FILES = 10
MAX_FILE_BYTES = 10 * 1024 * 1024
MAX_ALT_TEXT = 1024
MAX_NONCE = 25
MAX_MENTION_IDS = 100

_SETTABLE = (
    MessageFlag.SUPPRESS_EMBEDS
    | MessageFlag.EPHEMERAL
    | MessageFlag.SUPPRESS_NOTIFICATIONS
    | MessageFlag.IS_COMPONENTS_V2
)


# To keep a file, a client may send the whole attachment object, with these fields.
_ECHOED = (
    "filename",
    "size",
    "url",
    "proxy_url",
    "content_type",
    "width",
    "height",
    "spoiler",
    "ephemeral",
    "flags",
    "duration_secs",
    "waveform",
    "is_spoiler",
)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file uploaded with a request, with its number in ``files[n]``."""

    number: int
    filename: str
    data: bytes
    content_type: str | None = None


@dataclass(frozen=True, slots=True)
class FileDraft:
    """A file to attach, with its description from the body."""

    upload: Upload
    filename: str
    description: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True)
class ReplyTo:
    """The message that a new one replies to."""

    message_id: int
    channel_id: int | None
    must_exist: bool


@dataclass(slots=True)
class Draft:
    """A message body. None means that the body lacks the field.

    Attributes:
        keep: Ids of attachments that an edit keeps, or None to keep all.
    """

    content: str | None = None
    embeds: list[JSON] | None = None
    components: list[JSON] | None = None
    files: list[FileDraft] = field(default_factory=list)
    keep: dict[int, str | None] | None = None
    flags: int | None = None
    allowed: AllowedMentions = field(default_factory=AllowedMentions)
    reply: ReplyTo | None = None
    nonce: str | int | None = None
    enforce_nonce: bool = False
    tts: bool = False
    stickers: list[JSON] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """True if the draft has no visible content."""
        text = self.content and self.content.strip()
        blank = all(embeds.blank(embed) for embed in self.embeds or ())
        return not (text or self.components or self.files or self.stickers) and blank


def read_draft(
    body: object,
    uploads: Sequence[Upload] = (),
    *,
    v2: bool = False,
    longest: int = MAX_CONTENT,
) -> Draft:
    """Return a validated draft from a request's body and files.

    Args:
        body: The JSON.
        uploads: The files.
        v2: True if the message to edit uses Components V2, which can't be changed.
        longest: Maximum length of its text in characters.

    Raises:
        ApiError: 50035 with every fault found, or 40005 for a file that is too large.
    """
    if any(len(upload.data) > MAX_FILE_BYTES for upload in uploads):
        raise too_large()
    form = Form()
    fields = Fields(body, form)
    draft = Draft(
        content=fields.text("content", longest=longest),
        flags=fields.number("flags"),
        tts=bool(fields.flag("tts")),
        enforce_nonce=bool(fields.flag("enforce_nonce")),
        nonce=_nonce(fields),
        reply=_reply(fields),
        allowed=_allowed(fields),
    )
    v2 = v2 or bool((draft.flags or 0) & MessageFlag.IS_COMPONENTS_V2)
    if "content" in fields and draft.content is None:
        draft.content = ""
    if "embeds" in fields:
        draft.embeds = embeds.read_embeds(fields, form)
    if "components" in fields:
        draft.components = components.ComponentCheck().message(fields, v2=v2)
    _read_files(fields, uploads, draft)
    if v2:
        _refuse_legacy(fields, draft)
    draft.unknown = form.unknown
    form.raise_errors()
    draft.flags = None if draft.flags is None else draft.flags & int(_SETTABLE)
    return draft


def require_something(draft: Draft) -> None:
    """Check that a new message would not be empty.

    Raises:
        ApiError: 50006.
    """
    if draft.empty:
        raise empty_message()


def _nonce(fields: Fields) -> str | int | None:
    value = fields.raw("nonce")
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return fields.text("nonce", longest=MAX_NONCE)


def _reply(fields: Fields) -> ReplyTo | None:
    inner = fields.inner("message_reference")
    if inner is None:
        return None
    message_id = inner.id("message_id")
    if message_id is None:
        inner.required("message_id")
        return None
    inner.raw("guild_id")
    inner.raw("type")
    return ReplyTo(
        message_id, inner.id("channel_id"), inner.flag("fail_if_not_exists") is not False
    )


def _allowed(fields: Fields) -> AllowedMentions:
    inner = fields.inner("allowed_mentions")
    if inner is None:
        return AllowedMentions()
    parse = inner.items("parse", limit=3)
    users = inner.ids("users", limit=MAX_MENTION_IDS)
    roles = inner.ids("roles", limit=MAX_MENTION_IDS)
    for name, listed in (("users", users), ("roles", roles)):
        if name in parse and listed:
            fields.wrong(
                "allowed_mentions",
                "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                f'parse:["{name}"] and {name}: [ids...] are mutually exclusive.',
            )
    return AllowedMentions(
        users="users" in parse,
        roles="roles" in parse,
        everyone="everyone" in parse,
        user_ids=frozenset(users),
        role_ids=frozenset(roles),
        replied_user=bool(inner.flag("replied_user")),
    )


def _read_files(fields: Fields, uploads: Sequence[Upload], draft: Draft) -> None:
    by_number = {upload.number: upload for upload in uploads}
    described = fields.each("attachments", limit=MAX_FILES)
    for entry in described:
        for name in _ECHOED:
            entry.raw(name)
        number = entry.id("id")
        if number is None:
            entry.required("id")
            continue
        description = entry.text("description", longest=MAX_ALT_TEXT)
        upload = by_number.pop(number, None)
        if upload is not None:
            name = entry.text("filename", longest=1024, shortest=1) or upload.filename
            draft.files.append(
                FileDraft(upload, name, description, entry.text("title", longest=1024))
            )
        else:
            draft.keep = draft.keep or {}
            draft.keep[number] = description
    draft.files += [FileDraft(upload, upload.filename) for upload in by_number.values()]
    if fields.raw("attachments") is not None and draft.keep is None:
        draft.keep = {}
    if len(draft.files) > MAX_FILES:
        fields.wrong("files", "BASE_TYPE_MAX_LENGTH", f"Must be {MAX_FILES} or fewer in length.")


def _refuse_legacy(fields: Fields, draft: Draft) -> None:
    for name, value in (("content", draft.content), ("embeds", draft.embeds)):
        if value:
            fields.wrong(
                name,
                "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                f"The '{name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
            )
