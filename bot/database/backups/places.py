"""The places of backups: what is wrong with a place, in words, and what to do."""

import errno
import os
import stat
from pathlib import Path

from bot.base.errors import BackupError

_FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}


def see_readable(file: Path) -> None:
    """See that somebody has put a file there, and that it may be read.

    Raises:
        BackupError: if not.
    """
    try:
        mode = file.stat().st_mode
        if stat.S_ISDIR(mode):
            raise BackupError(file, "is a folder; name the backup in it")
        if not stat.S_ISREG(mode):
            raise BackupError(file, "is no file that could hold a backup")
        with file.open("rb"):
            pass
    except FileNotFoundError as error:
        raise BackupError(file, "is not there") from error
    except NotADirectoryError as error:
        raise BackupError(file, "is not there: what stands before its name is no folder") from error
    except PermissionError as error:
        raise BackupError(
            file, "may not be read by you; run this as its owner, or have it given to you (chown)"
        ) from error
    except OSError as error:
        raise BackupError(file, f"cannot be read: {error.strerror}") from error


def see_free(file: Path) -> None:
    """See that nothing is there yet.

    Raises:
        BackupError: if something is, or that cannot be seen.
    """
    try:
        mode = file.stat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise unwritable(file, error) from error
    if stat.S_ISDIR(mode):
        raise BackupError(file, "is a folder; name a file in it that is not there yet")
    raise BackupError(file, "is there already; a backup never replaces another file")


def unwritable(file: Path, error: OSError) -> BackupError:
    """Say why a file cannot be written."""
    folder = file.absolute().parent
    match error:
        case FileNotFoundError():
            why = f"there is no folder {folder}; make it first"
        case NotADirectoryError():
            why = f"{folder} is no folder; choose another place"
        case PermissionError():
            why = (
                f"you may not write into {folder}; choose another folder, or run this as its owner"
            )
        case OSError(errno=errno.EROFS):
            why = f"{folder} is on a disk that may only be read; choose another folder"
        case OSError(errno=number) if number in _FULL:
            return without_room(file)
        case _:
            why = str(error.strerror)
    return BackupError(file, f"cannot be written: {why}")


def without_room(file: Path) -> BackupError:
    """Return the error that there is no room for a file."""
    return BackupError(
        file, "cannot be written: the disk is full; make room on it, or choose another folder"
    )


def without_room_for_a_copy(file: Path, error: BaseException) -> BackupError:
    """Return a backup cannot be copied to where it would be brought up to date."""
    why = error.strerror if isinstance(error, OSError) else error
    place = os.environ.get("TMPDIR", "the folder for temporary files")
    return BackupError(
        file,
        f"is not restored: {place} takes no copy of it ({why}); "
        f"name a folder with room for it in TMPDIR",
    )
