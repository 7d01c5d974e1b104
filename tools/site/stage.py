#!/usr/bin/env python3
"""Writes what the site's generator reads: each page of docs/tree.txt in its place, and the configuration.

usage: stage.py ROOT FOLDER    writes FOLDER/mkdocs.yml and FOLDER/pages

A page keeps its path, without docs/ in front. Its links lead to the places of the other pages; other files of the tree that
it links are copied. The generator reads an older Markdown than git hosts do, so blank lines and indents are made strict.
"""
import json
import posixpath
import re
import shutil
import sys
from pathlib import Path

import markdown
import tree

LOOK = Path(__file__).parent / "look"


def place(page: str) -> str:
    """Where the site has a file of the tree. docs/index.md is the home page."""
    if page == "README.md":
        return "readme.md"
    # By an extension that servers know, a browser shows a source and does not store it.
    shown = page if posixpath.splitext(page)[1] in PLAIN else f"{page}.txt"
    return shown.removeprefix("docs/")


class Stage:
    def __init__(self, root: Path, folder: Path):
        self.root, self.folder = root, folder
        self.top = tree.read(root)[0]
        self.titles = {node.page: re.sub(r"^\d+ ", "", node.title) for node in self.top.pages()}
        self.pages = set(self.titles)
        self.files: set[str] = set()  # linked, and no pages

    def target(self, page: str, target: str) -> str:
        """A link's target as the site needs it."""
        if markdown.is_outside(target) or target.startswith("#"):
            return target
        path, anchor = markdown.leads_to(page, target), target.partition("#")[2]
        if (self.root / path).is_dir():
            path = f"{path}/README.md" if f"{path}/README.md" in self.pages else FOLDERS
        if path not in self.pages:
            self.files.add(path)
        return posixpath.relpath(place(path), posixpath.dirname(place(page)) or ".") + (f"#{anchor}" if anchor else "")

    def line(self, page: str, line: str) -> str:
        """The line with its links changed, except in `code`."""
        hidden = markdown.without_spans(line)
        parts, end = [], 0
        for link in re.finditer(r"\]\(([^()\s]+)\)", hidden):
            parts += [line[end:link.start(1)], self.target(page, link[1])]
            end = link.end(1)
        return "".join(parts) + line[end:]

    def titled(self, page: str, line: str) -> str:
        """The line with the titles of pages in links that show the names of their files."""
        def title(link: re.Match) -> str:
            to = markdown.leads_to(page, link[1])
            return f"[{self.titles[to]}]({link[1]})" if to in self.titles else link[0]

        return FILE_NAME_LINK.sub(title, line)

    def linked(self, page: str, text: str) -> str:
        """The page with its links changed, and nothing else."""
        plain = {number for number, _ in markdown.plain_lines(text)}
        return "\n".join(self.line(page, line) if number in plain else line for number, line in enumerate(text.splitlines(), 1)) + "\n"

    def text(self, page: str, text: str) -> str:
        """The page as the generator needs it."""
        plain = dict(markdown.plain_lines(text))
        lines, kind, used = [], "", {}
        numbered = False  # below `1. `, lines that belong to it are indented by three
        for number, line in enumerate(text.splitlines(), 1):
            if number in plain:
                line = self.line(page, self.titled(page, line))
                if heading := re.match(r"(#{1,6}) +(.+?)\s*#*$", line):
                    anchor = markdown.slug(plain[number].lstrip("#"))
                    count = used[anchor] = used.get(anchor, -1) + 1
                    line += f" {{#{anchor}{f'-{count}' if count else ''}}}"
            was, kind = kind, kind_of(line) if number in plain else "fence"
            if line and lines and lines[-1] and kind != was and not (was in ("list", "more") and kind == "more"):
                lines.append("")
            if re.match(r"\d+\. ", line):
                numbered = True
            elif line and not line.startswith(" "):
                numbered = False
            lines.append(f" {line}" if numbered and line.startswith("   ") else line)
        return "\n".join(lines) + "\n"

    def navigation(self, nodes) -> list:
        return [{node.title: place(node.page) if node.page else self.navigation(node.nodes)} for node in nodes]

    def write(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        for page in self.pages:
            self.put(place(page), self.text(page, (self.root / page).read_text()))
        for path in self.files:
            self.put(place(path), (self.root / path).read_bytes())
        for path in LOOK.iterdir():
            self.put(f"look/{path.name}", path.read_bytes())
        configuration = dict(CONFIGURATION, nav=self.navigation(self.top.nodes))
        (self.folder / "mkdocs.yml").write_text(json.dumps(configuration, indent=1, ensure_ascii=False))

    def put(self, where: str, what: str | bytes):
        path = self.folder / "pages" / where
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(what.encode() if isinstance(what, str) else what)


def kind_of(line: str) -> str:
    if re.match(r"#{1,6} ", line):
        return "heading"
    if line.startswith("|"):
        return "table"
    if re.match(r"([-*]|\d+\.) ", line):
        return "list"
    return "more" if line else ""


# [levels.md](levels.md), [proto/WIRE.md](../proto/WIRE.md#block)
FILE_NAME_LINK = re.compile(r"\[(?:[\w.-]+/)*[\w.-]+\.md\]\(([^()\s]+)\)")

# The page about folders that have no page of their own.
FOLDERS = "docs/architecture.md"

# Shown by browsers as they are.
PLAIN = {".md", ".svg", ".png", ".jpg", ".csv", ".txt", ""}

CONFIGURATION = {
    "site_name": "perigee",
    "site_description": "A backend for fast, physics-based multiplayer games whose world is larger than one process",
    "docs_dir": "pages",
    "site_dir": "site",
    "use_directory_urls": True,
    "theme": {
        "name": "material",
        "language": "en",
        "font": False,  # the reader's own fonts: a page asks no other host for anything
        "logo": "look/mark.svg",
        "favicon": "look/mark.svg",
        "icon": {"repo": "octicons/code-16"},
        "features": [
            "navigation.tabs", "navigation.tabs.sticky", "navigation.top", "navigation.footer", "navigation.tracking",
            "navigation.path", "toc.follow", "content.code.copy", "search.highlight", "search.suggest",
        ],
        "palette": [
            {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "custom", "accent": "custom",
             "toggle": {"icon": "material/weather-night", "name": "Switch to dark"}},
            {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "custom", "accent": "custom",
             "toggle": {"icon": "material/weather-sunny", "name": "Switch to light"}},
        ],
    },
    "extra": {"generator": False},
    "extra_css": ["look/perigee.css"],
    "plugins": [{"search": {}}, {"offline": {}}],
    "markdown_extensions": [
        "attr_list", "tables", "md_in_html", "sane_lists",
        {"toc": {"permalink": True, "toc_depth": 3}},
        {"pymdownx.highlight": {"anchor_linenums": False}},
        "pymdownx.superfences", "pymdownx.inlinehilite",
    ],
    "validation": {"links": {"anchors": "warn", "not_found": "warn"}},
}

if __name__ == "__main__":
    Stage(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()).write()
