#!/usr/bin/env python3
"""Wrappers of a game forward every virtual function of GameModule. One that is forgotten has its default: the game that
is wrapped then loses that function in silence.
    check_forwarding.py ROOT    exit code 1 and one line for each function that a wrapper does not override
"""
import pathlib
import re
import sys

GAME = "sim/world/include/perigee/world/game.hpp"
WRAPPERS = ["sim/world/include/perigee/world/watched_game.hpp", "sim/purity/include/perigee/purity/checked_twice.hpp"]


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def virtual_functions(header):
    body = header.split("class GameModule {", 1)
    if len(body) != 2:
        sys.exit(f"{GAME}: no class GameModule")
    return re.findall(r"\bvirtual\s[^~;{]*?\b(\w+)\s*\(", body[1])


def overrides(header, function):
    return re.search(rf"\b{function}\s*\([^;{{]*\)\s*const\s+override\b", header) is not None


def main(root):
    functions = virtual_functions(without_comments((root / GAME).read_text(encoding="utf-8")))
    if len(functions) < 15:
        sys.exit(f"{GAME}: only {len(functions)} virtual functions found: the check no longer reads it")
    wrong = 0
    for wrapper in WRAPPERS:
        header = without_comments((root / wrapper).read_text(encoding="utf-8"))
        for function in functions:
            if not overrides(header, function):
                print(f"{wrapper}: does not forward GameModule::{function}")
                wrong = 1
    return wrong


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: check_forwarding.py ROOT")
    sys.exit(main(pathlib.Path(sys.argv[1])))
