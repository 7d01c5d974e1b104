#!/usr/bin/env python3
"""Checks that comments and documents are plain English.

usage: check_prose.py [--list N] PATH...
       check_prose.py --rooms FILE

It counts two things per 1,000 words: person pronouns (who, nobody, whose ...), which are for players and operators
and not for workers and packets; and clauses that begin with a relative pronoun and have no noun as their subject. Each
count has to be below 1.0. It also finds words of the former vocabulary: tools/prose/vocabulary.txt names the word to
write instead.

--list N     the N worst sentences of each path
--rooms F    the paths in F, one a line; `#` begins a comment

examples: check_prose.py sim/worker
          check_prose.py --list 20 docs README.md
"""
import argparse
import pathlib
import re
import subprocess
import sys

LIMIT = 1.0
PERSON = re.compile(r"\b(who|whom|whoever|whomever|whose|whosever|somebody|nobody|anybody|everybody|whatever)\b", re.I)
SUBJECTLESS = re.compile(r"(?:^|[.;:,(] +)(what|who|whoever|whom|whose|of whom|of what|to whom|to who)\s+(?!if\b)[^?]*$",
                         re.I)
SENTENCE = re.compile(r"(?<=[.;:?!])\s+|\s*\|\s*")
CODE = re.compile(r"`[^`]*`|\[[^\]]*\]\([^)]*\)")
SLASHES = (".cpp", ".hpp", ".h", ".c", ".proto", ".ts")
HASHES = (".sh", ".toml", ".yml", ".cmake", ".py", "CMakeLists.txt")
VOCABULARY = pathlib.Path(__file__).with_name("vocabulary.txt")


def comment_lines(name, text):
    """(line number, prose or None) of each line of a file; None ends a paragraph."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if name.endswith(".md"):
            fence = line.lstrip().startswith("```")
            fenced ^= fence
            starts_alone = re.match(r"\s*([-*#>]|\d+\.|\|)", line)
            if starts_alone:
                yield number, None
            yield number, None if fence or fenced or not line.strip() else line
            continue
        mark = r"(?<!:)//[/!<]*\s?(.*)$" if name.endswith(SLASHES) else r"(?:^|\s)#\s(.*)$"
        found = re.search(mark, line)
        behind_code = found and line[:found.start()].strip()
        if behind_code:
            yield number, None  # such a comment is a paragraph of its own
        yield number, found.group(1) if found else None
        if behind_code:
            yield number, None


def paragraphs(name, text):
    """(first line, joined prose) of each comment or paragraph."""
    first, parts = 0, []
    for number, prose in comment_lines(name, text):
        if prose is None:
            if parts:
                yield first, " ".join(parts)
            parts = []
        else:
            first = first if parts else number
            parts.append(prose.strip())
    if parts:
        yield first, " ".join(parts)


def former_words():
    words = []
    for line in VOCABULARY.read_text(encoding="utf-8").split("\n"):
        if line.strip() and not line.startswith("#"):
            pattern, instead = (part.strip() for part in line.rsplit("|", 1))
            words.append((re.compile(rf"\b(?:{pattern})\b", re.I), instead))
    return words


class Count:
    def __init__(self):
        self.words = self.persons = self.subjectless = 0
        self.found = []  # (how much, where, sentence, why)

    def add(self, where, paragraph, vocabulary):
        for sentence in SENTENCE.split(CODE.sub(" ", paragraph)):
            persons = len(PERSON.findall(sentence))
            subjectless = len(SUBJECTLESS.findall(sentence))
            self.words += len(sentence.split())
            self.persons += persons
            self.subjectless += subjectless
            if persons + subjectless:
                self.found.append((persons + subjectless, where, sentence, ""))
            for pattern, instead in vocabulary:
                if former := pattern.search(sentence):
                    self.found.append((9, where, sentence, f"'{former[0]}' is: {instead}"))

    def per_thousand(self):
        return [1000 * n / max(self.words, 1) for n in (self.persons, self.subjectless)]

    def is_plain(self):
        return max(self.per_thousand()) < LIMIT and not any(why for *_, why in self.found)


def files_of(path):
    listed = subprocess.run(["git", "ls-files", "--", path], capture_output=True, text=True, check=True).stdout.split("\n")
    return [name for name in listed if name.endswith(SLASHES + HASHES + (".md",)) and pathlib.Path(name).is_file()]


def count(path, vocabulary):
    total = Count()
    for name in files_of(path):
        text = pathlib.Path(name).read_text(encoding="utf-8", errors="replace")
        for line, paragraph in paragraphs(name, text):
            total.add(f"{name}:{line}", paragraph, vocabulary)
    return total


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("--list", type=int, default=0)
    parser.add_argument("--rooms")
    parser.add_argument("--help", action="store_true")
    parser.add_argument("paths", nargs="*")
    options = parser.parse_args()
    paths = options.paths
    if options.rooms:
        lines = pathlib.Path(options.rooms).read_text(encoding="utf-8").split("\n")
        paths = [line.split("#")[0].strip() for line in lines if line.split("#")[0].strip()]
    if options.help or not paths:
        print(__doc__)
        sys.exit(0 if options.help else 2)
    vocabulary, wrong = former_words(), False
    for path in paths:
        total = count(path, vocabulary)
        persons, subjectless = total.per_thousand()
        plain = total.is_plain()
        wrong |= not plain
        shown = options.list or (0 if plain else 10)
        if not plain or options.list or not options.rooms:
            print(f"{path:28s} {total.words:6d} words, per 1,000: persons {persons:4.1f}, subjectless {subjectless:4.1f}"
                  f"{'' if plain else '   too many'}")
        for _, where, sentence, why in sorted(total.found, key=lambda found: -found[0])[:shown]:
            print(f"  {where}: {sentence.strip()[:160]}{' -- ' + why if why else ''}")
    if wrong:
        sys.exit("Remedy: give these sentences a noun as their subject; docs/glossary.md has the words.")


main()
