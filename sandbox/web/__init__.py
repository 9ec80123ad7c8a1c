"""The server side of the page, a local chat in the browser for the sandbox's people."""

from sandbox.web.page import Page

__all__ = ["Page"]
