"""The page's server side: a local chat in the browser, for people who are part of the sandbox."""

from sandbox.web.page import Page

__all__ = ["Page"]
