"""A local Discord server with REST API, gateway and CDN, and simulated users."""

from sandbox.admin import GuildAdmin
from sandbox.answers import Answer, OpenModal, Patience
from sandbox.clock import Clock, ManualClock, SystemClock
from sandbox.components import Component
from sandbox.faults import EVERY_ROUTE, Faults
from sandbox.interactions import InteractionFailed
from sandbox.invocations import InvocationRefused
from sandbox.kinds import ChannelKind, MessageFlag, MessageKind
from sandbox.model import Attachment, Channel, Guild, Message, Role, Thread, User
from sandbox.orders import Fault
from sandbox.permissions import Permission
from sandbox.person import Person
from sandbox.ratelimits import Limit, RateLimits
from sandbox.rest.front import Exchange
from sandbox.server import Sandbox
from sandbox.storage import StorageError

__all__ = [
    "EVERY_ROUTE",
    "Answer",
    "Attachment",
    "Channel",
    "ChannelKind",
    "Clock",
    "Component",
    "Exchange",
    "Fault",
    "Faults",
    "Guild",
    "GuildAdmin",
    "InteractionFailed",
    "InvocationRefused",
    "Limit",
    "ManualClock",
    "Message",
    "MessageFlag",
    "MessageKind",
    "OpenModal",
    "Patience",
    "Permission",
    "Person",
    "RateLimits",
    "Role",
    "Sandbox",
    "StorageError",
    "SystemClock",
    "Thread",
    "User",
]
