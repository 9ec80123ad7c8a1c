"""Clean up after a process however it ends, even if it is killed and can do nothing itself."""

import subprocess


class WhenGone:
    """Shell commands that run when this process ends, unless it calls `cancel`.

    A shell waits at a pipe, which the system closes when the process ends. The shell has its own
    session, and its parent has ended. So it also survives if a whole process group is killed, or a
    process with all its descendants. Forks of this process must close the pipe, or the shell waits
    for them, too.
    """

    def __init__(self, commands: str, *arguments: str) -> None:
        """Schedule commands.

        Args:
            commands: Commands of the shell.
            arguments: The values of $1, $2 and so on in these commands.
        """
        # A shell gives background commands no input, except through another file.
        script = f'exec 3<&0; {{ test -n "$(cat <&3)" || {{ {commands}; }}; }} &'
        self._shell = subprocess.Popen(
            ["sh", "-c", script, "when-gone", *arguments],  # noqa: S607 - every Unix has it
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )
        self._shell.wait()  # the background commands are left

    def cancel(self) -> None:
        """End the shell without running the commands."""
        self._shell.communicate(b"canceled")  # until the last process has closed the output

    def forget(self) -> None:
        """Close the pipe in a fork of this process, so that it delays nobody."""
        assert self._shell.stdin is not None
        self._shell.stdin.close()
