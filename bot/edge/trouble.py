"""What a request to Discord can end with, other than its answer."""

from typing import Final

import aiohttp
import discord

CUT_OFF: Final = (aiohttp.ClientError, OSError, TimeoutError)
"""The connection broke: whether the request was carried out is unknown."""

TROUBLE: Final = (discord.HTTPException, *CUT_OFF)
"""Discord refused, or the connection broke."""
