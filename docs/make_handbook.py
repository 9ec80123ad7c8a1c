"""Write the handbook as pages with pictures: `.venv/bin/python docs/make_handbook.py FOLDER`."""

import sys
from pathlib import Path

from bot.base.languages import Reader, languages, reader_for
from dvonn_lessons.primer import HANDBOOK
from school.exercises.words import exercise
from school.lessons.words.handbook import handbook_page


def write(folder: Path, reader: Reader) -> None:
    """Write the page of one language, and a picture for each word."""
    lines = ["# DVONN"]
    for word in HANDBOOK:
        post = exercise(reader, handbook_page(reader, word))
        if post.picture is None:
            raise ValueError(f"the page of {word} has no picture")
        name = f"{word}.{reader.locale}.png"
        (folder / name).write_bytes(post.picture.rendering(lambda _guild, _user: "")())
        title, *text = post.content.splitlines()
        lines += [title.removeprefix("#"), f"![{post.picture.alt_text}]({name})", *text]
    page = "\n\n".join(lines) + "\n"
    (folder / f"handbook.{reader.locale}.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    handbook = Path(sys.argv[1])
    handbook.mkdir(parents=True, exist_ok=True)
    for language in languages():
        write(handbook, reader_for(language))
