"""Names and sentences of the code: one name for one thing, and plain English.

The bounds are figures that were reached. They only fall: after you have mended some, lower them.
"""

import ast
import io
import re
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = (
    *("bot", "school", "club", "dvonn", "dvonn_lessons", "renderer"),
    *("sandbox", "demo", "docs", "deploy"),
)
"""Folders whose code is counted. Migrations, which never change, are left out."""

_BARE = re.compile(
    "Begun|Brought|Caught|Come|Done|Drawn|Found|Given|Gone|Heard|Held|Kept|Known|"
    "Laid|Left|Lost|Made|Meant|Met|Put|Said|Seen|Sent|Set|Shown|Spent|Taken|Taught|"
    "Told|Went|Won|Written|Mine|Ours|Own|Theirs|Yours|Around|Before|Past|Here|There|"
    "Now|Then|Why|How"
)
"""Participles, pronouns and adverbs. A class that is a thing has a noun."""
_LONE = re.compile(
    "about|above|after|again|ahead|alike|along|alone|around|at|back|before|below|"
    "beside|between|by|else|from|gone|here|in|it|mine|near|no|now|of|off|on|once|one|"
    "only|or|out|over|seen|some|soon|surely|then|to|together|told|until|up|with|"
    "without|within|known|meant|kept|made|said|left|patiently"
)
"""Prepositions, participles and adverbs. A function that does something has a verb."""
_ODD_LOCAL = re.compile(
    "told|found|seen|said|one|asked|shown|left|what|known|here|kept|done|where|made|others|gone|"
    "there|wanted|read|given|how|taken|both|held|whose|each|who|whom|why|which|heard|ours|theirs|"
    "mine|own|meant|begun|answered|written|called|posted|pressed|tried|counted|brought|granted|"
    "usual|more|most|also|again|ahead|around|alone|then|some|stand|stands"
)
"""Names of local variables and parameters that do not say what the value is."""
_PHRASES = {
    "whoever, whom": r"\b(?:[Ww]hoever|[Ww]hom)\b",
    "that of, those of": r"\b(?:that|those) of\b",
    "of which, of what": r"\b(?:of|by|for|with|in|from|to) which\b|\bof what\b",
    "what is, all that was": (
        r"\b(?:[Ww]hat|[Aa]ll that) (?:is|was|are|were|has|have|came|stands)\b"
    ),
    "is to be": r"\b(?:is|are|was|were) to be\b",
    "is no more, not any more": (
        r"\b(?:is|are) no more\b|\b(?:not|nobody|nothing)\b[^.]{0,40}\bany more\b"
    ),
    "so many": r"(?:^|[.;:] )So (?:many|much|long)\b",
    "in vain, surely": r"\bin vain\b|\bsurely\b|\bbeforehand\b|\bmeanwhile\b",
    "somebody's, one's": r"\bsomebody's\b|\bnobody's\b|\bone's\b",
    "anew": r"\banew\b",
    "tells the rest, tells how": r"\btells? (?:the rest|how|what)\b",
    "the news that": r"\b[Tt]he news that\b",
}
"""Phrases that an American engineer would not write."""
_RELATIVE = re.compile(r"(?:That|What|Whether|How|Who|Where|Why|Which|Whatever|So)\b")

MOST = {
    "class named by a participle, pronoun or adverb": 0,
    "function named by a preposition, participle or adverb": 6,
    "loop variable `one`": 0,
    "log event that begins with an article": 0,
    "first line with a semicolon": 0,
    "first line that is a relative clause": 0,
    "`Tell whether`": 0,
    "whoever, whom": 0,
    "that of, those of": 4,
    "of which, of what": 42,
    "what is, all that was": 12,
    "is to be": 0,
    "is no more, not any more": 0,
    "so many": 0,
    "in vain, surely": 0,
    "somebody's, one's": 1,
    "anew": 0,
    "tells the rest, tells how": 0,
    "the news that": 0,
}
"""Maximum number of each."""

MOST_ODD_LOCALS = {
    "bot": 0,
    "school": 0,
    "club": 0,
    "dvonn": 0,
    "dvonn_lessons": 0,
    "renderer": 0,
    "sandbox": 0,
    "demo": 0,
    "docs": 0,
    "deploy": 0,
    "benchmarks": 0,
}
"""Maximum number of odd local names in each folder."""

MOST_IN_TESTS = {
    "class named by a participle, pronoun or adverb": 34,
    "function named by a preposition, participle or adverb": 86,
    "log event that begins with an article": 0,
    "`Tell whether`": 0,
    "first line with a semicolon": 0,
    "first line that is a relative clause": 6,
    "loop variable `one`": 0,
    "whoever, whom": 4,
    "that of, those of": 19,
    "of which, of what": 100,
    "what is, all that was": 23,
    "is to be": 0,
    "is no more, not any more": 6,
    "so many": 1,
    "in vain, surely": 2,
    "somebody's, one's": 4,
    "anew": 0,
    "tells the rest, tells how": 3,
    "the news that": 0,
}
"""Maximum number of each in tests and benchmarks."""

OTHER_FILES = {
    r"#.*": (
        *(".ci/*", ".env.example", ".dockerignore", ".pre-commit-config.yaml"),
        *(".github/**/*.yml", "deploy/*.yml", "deploy/*.yaml", "deploy/*.service"),
        *("Dockerfile", "compose.yaml", "pyproject.toml", "dvonn*/pyproject.toml"),
    ),
    r"//.*|/\*[\s\S]*?\*/": (
        *("renderer/*.js", "renderer/*.css", "sandbox/page/*.js", "sandbox/page/*.css"),
        *("deploy/*.mjs", "tests/sandbox/*.mjs"),
    ),
}
"""Patterns of other files' comments, with the files."""

MOST_IN_OTHER_FILES = dict.fromkeys(_PHRASES, 0)
"""Maximum number of each phrase in those comments."""


def _sources(rooms: Sequence[str]) -> Iterator[Path]:
    for room in rooms:
        found = sorted((ROOT / room).rglob("*.py"))
        yield from (path for path in found if "versions" not in path.parts)


def _sentences(text: str, tree: ast.Module) -> Iterator[str]:
    """Yield docstrings, also of fields and constants, and comments, without code in backquotes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield re.sub(r"`[^`]*`", "`x`", str(node.value.value))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and "noqa" not in token.string:
            yield token.string


def _names(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the kinds of odd names in a module, with their lines."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name):
                bases = [ast.unparse(base) for base in node.bases]
                bare = name.lstrip("_")
                is_event = any(base.endswith("EventData") for base in bases)
                if not is_event and (_BARE.fullmatch(bare) or re.fullmatch("[A-Z][a-z]*ed", bare)):
                    yield "class named by a participle, pronoun or adverb", node.lineno
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                if _LONE.fullmatch(name.strip("_")):
                    yield "function named by a preposition, participle or adverb", node.lineno
            case ast.comprehension() | ast.For() | ast.AsyncFor():
                if ast.unparse(node.target) == "one":
                    yield "loop variable `one`", node.target.lineno
            case ast.Call(func=function, args=[ast.Constant(value=str(event)), *_]):
                is_logged = ast.unparse(function).startswith("_log.")
                if is_logged and re.match(r"(?:a|an|the|can't|this)\b", event):
                    yield "log event that begins with an article", node.lineno


def _terms(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Return names that are terms: options of a command, or `own` and `other` sets of stacks."""
    options = {
        str(keyword.arg)
        for decorator in function.decorator_list
        if ast.unparse(decorator).startswith("app_commands.describe(")
        for keyword in getattr(decorator, "keywords", ())
    }
    names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    return options | ({"own"} if {"own", "other"} <= names else set())


def _odd_locals(
    node: ast.AST, function: str = "", terms: AbstractSet[str] = frozenset()
) -> Iterator[tuple[str, str]]:
    """Yield the functions with odd names of parameters and local variables, and these names."""
    for child in ast.iter_child_nodes(node):
        inner, inner_terms = function, terms
        match child:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                inner, inner_terms = f"{function}.{name}", terms | _terms(child)
            case ast.ClassDef(name=name):
                yield from _odd_locals(child, f"{function}.{name}:", terms)
                continue
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.MatchAs(name=name):
                is_field = isinstance(child, ast.Name) and function.endswith(":")
                is_odd = name is not None and name not in terms and _ODD_LOCAL.fullmatch(name)
                if is_odd and not is_field:
                    yield function, str(name)
        yield from _odd_locals(child, inner, inner_terms)


@cache
def _counted(*rooms: str) -> dict[str, list[str]]:
    """Return the places of each kind."""
    found = defaultdict(list)
    for path in _sources(rooms):
        text = path.read_text(encoding="utf-8")
        tree, here = ast.parse(text), path.relative_to(ROOT)
        for kind, line in _names(tree):
            found[kind].append(f"{here}:{line}")
        for sentence in _sentences(text, tree):
            first = sentence.strip().split("\n")[0]
            is_docstring = not sentence.startswith("#")
            kinds = Counter(
                {
                    "first line with a semicolon": is_docstring and ";" in first,
                    "first line that is a relative clause": is_docstring
                    and _RELATIVE.match(first) is not None,
                    "`Tell whether`": first.startswith("Tell whether"),
                }
            )
            kinds.update({name: len(re.findall(odd, sentence)) for name, odd in _PHRASES.items()})
            for kind in kinds.elements():
                found[kind].append(f"{here}: {first}")
    return found


@pytest.mark.parametrize("kind", MOST)
def test_odd_names_and_phrases_only_become_fewer(kind: str) -> None:
    found = _counted(*ROOMS).get(kind, [])
    assert len(found) <= MOST[kind], "\n".join(["Write it otherwise:", *found])


@pytest.mark.parametrize("room", MOST_ODD_LOCALS)
def test_odd_names_of_local_variables_only_become_fewer(room: str) -> None:
    terms = {"left"} if room in {"renderer", "docs"} else set[str]()  # edges of pictures
    places = {
        f"{path.relative_to(ROOT)}: {name} in {function}"
        for path in _sources([room])
        for function, name in _odd_locals(ast.parse(path.read_text(encoding="utf-8")), terms=terms)
    }
    assert len(places) <= MOST_ODD_LOCALS[room], "\n".join(["Name the value:", *sorted(places)])


@pytest.mark.parametrize("kind", MOST_IN_TESTS)
def test_odd_phrases_of_tests_only_become_fewer(kind: str) -> None:
    found = _counted("tests", "benchmarks").get(kind, [])
    assert len(found) <= MOST_IN_TESTS[kind], "\n".join(["Write it otherwise:", *found])


@cache
def _other_comments() -> list[tuple[str, str]]:
    """Return the comments outside of Python files, with their places."""
    comments = []
    for pattern, globs in OTHER_FILES.items():
        # The comment is at the start of a line or after a space, unlike in `https://`.
        comment = re.compile(rf"(?<!\S)(?:{pattern})")
        for path in (path for wildcard in globs for path in sorted(ROOT.glob(wildcard))):
            text = path.read_text(encoding="utf-8")
            for match in comment.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                comments.append((f"{path.relative_to(ROOT)}:{line}", match[0]))
    script = (ROOT / "run").read_text(encoding="utf-8")  # Python, so its docstrings count too
    return comments + [("run", sentence) for sentence in _sentences(script, ast.parse(script))]


@pytest.mark.parametrize("kind", MOST_IN_OTHER_FILES)
def test_odd_phrases_of_other_files_only_become_fewer(kind: str) -> None:
    comments = _other_comments()
    assert len(comments) > 500
    found = [f"{place}: {text}" for place, text in comments if re.search(_PHRASES[kind], text)]
    assert len(found) <= MOST_IN_OTHER_FILES[kind], "\n".join(["Write it otherwise:", *found])


def _documented(docstring: str) -> list[str]:
    """Return the names that a docstring explains under `Args` and `Attributes`."""
    sections = re.findall(r"^(?:Args|Attributes):\n((?:    .*\n?|\n)+)", docstring, re.MULTILINE)
    return [
        name for text in sections for name in re.findall(r"^ {4}\*{0,2}(\w+):", text, re.MULTILINE)
    ]


def test_docstrings_explain_only_names_that_exist() -> None:
    places, count = [], 0
    for path in _sources([*ROOMS, "benchmarks", "tests"]):
        text = path.read_text(encoding="utf-8")
        has_section = re.search("(?:Args|Attributes):\n", text) is not None
        for node in ast.walk(ast.parse(text)) if has_section else ():
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                names = _documented(ast.get_docstring(node) or "")
                inside = node.args if not isinstance(node, ast.ClassDef) else node
                known = {
                    getattr(child, key)
                    for child in ast.walk(inside)
                    for key in ("arg", "attr", "id", "name")
                    if hasattr(child, key)
                }
                count += len(names)
                places += [f"{path}:{node.lineno}: {name}" for name in names if name not in known]
    assert count > 500
    assert places == []


def test_no_two_classes_have_one_name() -> None:
    found = defaultdict(list)
    for room in ("bot", "school", "club", "dvonn", "renderer"):
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(str(path.relative_to(ROOT)))
    assert len(found) > 200
    assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}


def test_the_move_in_40_lines_is_the_code() -> None:
    """Check that each line of the page about a move is in its file."""
    folder = ROOT / "bot/play"
    page = (folder / "README.md").read_text(encoding="utf-8")
    lines = page.partition("```python\n")[2].partition("```")[0].splitlines()
    assert 30 <= sum(1 for line in lines if line.strip() and line != "…") <= 45
    source, shown = "", 0
    for line in lines:
        if line.startswith("# "):
            source = (folder / line[2:].partition(":")[0]).read_text(encoding="utf-8")
        elif line.strip() and line != "…":
            assert f"{line.strip()}\n" in source, line
            shown += 1
    assert shown > 20
