"""An engine written from the protocol's documentation. If told so, it makes one mistake."""

import random
import sys
import time

from dvonn import Move, Position, parse_move, position_from_text
from dvonn.perft import divide

MISTAKE = sys.argv[1]
LINES = 3


def say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


class PlainEngine:
    """It plays random moves."""

    def __init__(self) -> None:
        self.position = Position.initial()
        self.lines = 1
        self.rng = random.Random(1)

    def place(self, words: list[str]) -> None:
        at = words.index("moves") if "moves" in words else len(words)
        if words[:1] == ["line"]:
            position = position_from_text(" ".join(words[1:at]))
        elif words[:1] == ["startpos"] and at == 1:
            position = Position.initial()
        else:
            raise ValueError("position startpos or position line")
        for move in words[at + 1 :]:
            position = position.after(move)
            if MISTAKE == "refused-position-remains":
                self.position = position
        self.position = position

    def set(self, words: list[str]) -> None:
        if MISTAKE == "refuses-default":
            raise ValueError("no option")
        name, value = words[1], int(words[3])
        if name != "MultiPV" or not 1 <= value <= LINES:
            raise ValueError("MultiPV is 1 to 3")
        self.lines = value

    def go(self, words: list[str]) -> None:
        limits = {"nodes", "depth", "movetime", "wtime", "btime", "infinite", "perft"}
        for at, word in enumerate(words):
            if word in limits - {"infinite"}:
                int(words[at + 1 : at + 2][0] if words[at + 1 : at + 2] else "")
            elif word != "infinite" and words[at - 1] not in limits:
                raise ValueError(f"unknown limit {word}")
        if "perft" in words and MISTAKE != "no-perft":
            self.count(int(words[1]))
            return
        if "perft" in words:
            raise ValueError("unknown limit perft")
        if MISTAKE == "never-moves":
            return
        if MISTAKE == "slow" and "movetime" in words:
            time.sleep(3)
        if "infinite" in words and MISTAKE != "answers-infinite":
            self.wait()
        self.answer()

    def wait(self) -> None:
        while (line := sys.stdin.readline().strip()) != "stop" or MISTAKE == "deaf-to-stop":
            if not line:
                sys.exit()
            say("readyok" if line == "isready" else "info string a search is running")

    def count(self, plies: int) -> None:
        counts = {str(move): count for move, count in divide(self.position, plies).items()}
        moved = self.position.to_place is None
        if MISTAKE == "forgets-surrounded" and moved:
            counts["a1-b1"] = 1
        if MISTAKE == "loses-nothing" and moved:
            counts[min(counts)] += 1
        say(*(f"perft {move} {count}" for move, count in counts.items()))
        say(f"perft total {sum(counts.values())}")

    def answer(self) -> None:
        moves = list(self.position.legal_moves())
        self.rng.shuffle(moves)
        if MISTAKE == "illegal-move" and self.position.to_place and self.position.stacks:
            moves = [Move(target=next(iter(self.position.stacks)))]
        if MISTAKE == "passes" and self.position.passed:
            moves = []
        if MISTAKE == "moves-at-the-end" and not moves:
            moves = [parse_move("a1")]
        depth = "two" if MISTAKE == "bad-number" else "2"
        chance = "50" if MISTAKE == "chance-in-percent" else "0.5"
        more = "nps 9 hashfull 1 " if MISTAKE == "extra-words" else ""
        for rank, move in enumerate(moves[: 1 if MISTAKE == "one-line" else self.lines], start=1):
            pv = "a1-a1" if MISTAKE == "wrong-pv" else str(move)
            if MISTAKE != "no-pv":
                say(f"info depth {depth} {more}multipv {rank} chance {chance} pv {pv}")
        last = " ponder a1" if MISTAKE == "extra-words" else ""
        say(f"bestmove {moves[0] if moves else 'none'}{last}")
        if MISTAKE == "answers-twice":
            say(f"bestmove {moves[0] if moves else 'none'}")

    def talk(self) -> None:
        for line in iter(sys.stdin.readline, ""):
            name, *words = line.split() or [""]
            try:
                self.heed(name, words)
            except (ValueError, IndexError) as error:
                if MISTAKE != "ignores-unknown":
                    kind = "what? " if MISTAKE == "answers-unknown-otherwise" else "info string "
                    say(kind + " ".join(str(error).split()))
        sys.exit(3 if MISTAKE == "bad-status-at-eof" else 0)

    def heed(self, name: str, words: list[str]) -> None:
        if name == "uci":
            say(*(["id name plain"] if MISTAKE != "no-name" else []))
            kind = "string" if MISTAKE == "bad-type" else "spin"
            say(f"option name MultiPV type {kind} default 1 min 1 max 3", "uciok")
        elif name == "isready":
            say("readyok")
        elif name == "setoption":
            self.set(words)
        elif name == "position":
            self.place(words)
        elif name == "go":
            self.go(words)
        elif name == "quit":
            if MISTAKE == "stays":
                time.sleep(9999)
            sys.exit(3 if MISTAKE == "bad-status" else 0)
        elif name == "stop" and MISTAKE == "answers-stray-stop":
            say("bestmove a1")
        elif name not in {"ucinewgame", "stop"}:
            raise ValueError(f"unknown command {name}")


PlainEngine().talk()
