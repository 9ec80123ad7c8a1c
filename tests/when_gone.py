"""Clean up after a process however it ends, even if it is killed and can do nothing itself."""

import subprocess


class WhenGone:
    """Shell commands that run when this process ends, or calls `now`.

    A shell in its own session waits at a pipe, which the system closes when the process ends. Forks
    of this process must close it, or the shell waits for them, too.
    """

    def __init__(self, commands: str, *arguments: str) -> None:
        """Have commands run later.

        Args:
            commands: What the shell does.
            arguments: The values of $1, $2 and so on in these commands.
        """
        self._shell = subprocess.Popen(
            ["sh", "-c", f"cat; {commands}", "when-gone", *arguments],  # noqa: S607 - every Unix has it
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )

    def now(self) -> None:
        """Run the commands, and wait until they are done."""
        self.forget()
        self._shell.wait()

    def forget(self) -> None:
        """Close the pipe in a fork of this process, so that it delays nobody."""
        assert self._shell.stdin is not None
        self._shell.stdin.close()
