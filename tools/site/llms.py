#!/usr/bin/env python3
"""Writes the documentation for machines that read text: llms.txt, a list of the pages in the form of https://llmstxt.org, llms-full.txt,
the pages of that list one after the other, and each page as it is, NAME.md beside NAME.html.

usage: llms.py ROOT SITE
"""
import re
import sys
from pathlib import Path

import markdown
import stage
import tree

# A reader who has no room for everything leaves these out.
OPTIONAL = {"Why"}
SUMMARY_MAX = 240


def without_links(text: str) -> str:
    return markdown.LINK.sub(r"\2", text)


def summary(text: str) -> str:
    """The first sentence of the first paragraph."""
    paragraph = []
    for _, line in markdown.plain_lines(text):
        if re.match(r"[A-Za-z*`\[]", line):
            paragraph.append(line.strip())
        elif paragraph:
            break
    words = without_links(" ".join(paragraph)).replace("**", "")
    sentence = re.match(r".*?[.:](?= [A-Z`]|$)", words)
    said = (sentence[0] if sentence else words).rstrip(":")
    return said if len(said) <= SUMMARY_MAX else said[:SUMMARY_MAX].rsplit(" ", 1)[0] + " …"


def list_of(root: Path, top: tree.Node) -> str:
    home = (root / "docs/index.md").read_text()
    first = next(block for block in home.split("\n\n") if not block.startswith("#"))
    lines = ["# perigee", "", "> " + without_links(" ".join(first.split())), "",
             "All pages are Markdown. Commands begin in the top folder of a checkout. `llms-full.txt` has the pages of the first sections in one file.", ""]
    ordered = [group for group in top.nodes if group.title not in OPTIONAL]
    ordered += [tree.Node("Optional", nodes=[node for group in top.nodes if group.title in OPTIONAL for node in group.nodes])]
    for group in ordered:
        lines += [f"## {group.title}", ""]
        for node in group.pages():
            said = summary((root / node.page).read_text())
            lines.append(f"- [{node.title}]({stage.place(node.page)})" + (f": {said}" if said else ""))
        lines.append("")
    return "\n".join(lines)


def main(root: Path, site: Path):
    top = tree.read(root)[0]
    pages = stage.Stage(root, site)
    full = []
    for group in top.nodes:
        for node in group.pages():
            text = pages.linked(node.page, (root / node.page).read_text())
            path = site / stage.place(node.page)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            if group.title not in OPTIONAL:
                full.append(f"<!-- {stage.place(node.page)} -->\n{text}")
    (site / "llms.txt").write_text(list_of(root, top))
    (site / "llms-full.txt").write_text("\n".join(full))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
