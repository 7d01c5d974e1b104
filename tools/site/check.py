#!/usr/bin/env python3
"""Checks that every page has its place in docs/tree.txt, and that every link, anchor and picture of the pages exists.

usage: check.py [ROOT]    prints PAGE:LINE: breach; exit code 1 if any
"""
import sys
from pathlib import Path

import markdown
import tree


def breaches_of_tree(root: Path, pages: list[str]):
    top, excused, breaches = tree.read(root)
    yield from breaches
    placed = [node.page for node in top.pages()]
    for page in sorted(set(pages) - set(placed) - set(excused)):
        yield (f"{page}: has no place in {tree.TREE}; add a line 'TITLE: {page}' there"
               + (", or its row to docs/decisions/README.md" if page.startswith("docs/decisions/") else ""))
    for page in sorted(set(placed + list(excused)) - set(pages)):
        yield f"{tree.TREE}: {page} does not exist"
    for page in sorted({page for page in placed if placed.count(page) > 1 or page in excused}):
        yield f"{tree.TREE}: {page} is there twice"


def breaches_of_links(page: str, text: str, known: set[str], anchors: dict[str, set[str]]):
    """`known`: all files and folders; `anchors`: those of each page."""
    for line, picture, target in markdown.links(text):
        if markdown.is_outside(target):
            if picture:
                yield f"{page}:{line}: the picture {target} is on another host; keep it in docs/img"
            continue
        path, anchor = markdown.leads_to(page, target), target.partition("#")[2]
        if path not in known:
            yield f"{page}:{line}: {'picture' if picture else 'link'} {target} does not exist"
        elif anchor and path in anchors and anchor not in anchors[path]:
            yield f"{page}:{line}: {path} has no heading for #{anchor}"


def breaches_of_headings(page: str, text: str):
    found: dict[str, int] = {}
    titles = [heading for _, level, heading in markdown.headings(text) if level == 1]
    if len(titles) != 1:
        yield f"{page}: has {len(titles)} headings of level 1; a page has one, its title"
    linked = {target[1:] for _, _, target in markdown.links(text) if target.startswith("#")}
    for line, _, heading in markdown.headings(text):
        anchor = markdown.slug(heading)
        if anchor in found and anchor in linked:
            yield f"{page}:{line}: the link #{anchor} could mean line {found[anchor]} as well; name one heading otherwise"
        found.setdefault(anchor, line)


def check(root: Path) -> list[str]:
    files = tree.files(root)
    pages = [path for path in files if path.endswith(".md")]
    known = set(files) | {str(parent) for path in files for parent in Path(path).parents}
    texts = {page: (root / page).read_text() for page in pages}
    anchors = {page: markdown.anchors(text) for page, text in texts.items()}
    found = list(breaches_of_tree(root, pages))
    excused = tree.read(root)[1]
    for page in pages:
        if page not in excused:
            found += breaches_of_links(page, texts[page], known, anchors)
            found += breaches_of_headings(page, texts[page])
    return found


if __name__ == "__main__":
    said = check(Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve())
    print("\n".join(said) if said else "every page has its place, and every link its end")
    sys.exit(1 if said else 0)
