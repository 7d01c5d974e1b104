#!/usr/bin/env python3
"""Finishes a built site: searches without another host, and checks each link of the pages as readers get them.

usage: finish.py ROOT SITE    exit code 1 with PAGE: breach
"""
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

# The generator takes this script from another host; ours does the same (look/search_from_files.js).
FOREIGN_SCRIPT = re.compile(r'<script src="https://unpkg\.com/iframe-worker/shim"[^>]*></script>')


class Page(HTMLParser):
    """What a page of HTML loads, where it leads, and the places in it."""

    def __init__(self, text: str):
        super().__init__()
        self.loads, self.leads, self.places = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if attrs.get("id"):
            self.places.add(attrs["id"])
        if tag == "a":
            self.leads.append(attrs.get("href") or "")
        elif tag == "link" and attrs.get("rel") not in ("canonical", "next", "prev"):
            self.loads.append(attrs.get("href") or "")
        elif attrs.get("src"):
            self.loads.append(attrs["src"])


def own_script(path: Path, site: Path) -> str:
    back = "../" * (len(path.relative_to(site).parts) - 1)
    return f'<script src="{back}look/search_from_files.js"></script>'


def breaches(site: Path):
    pages = {path: Page(path.read_text()) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(site)
        for target in page.loads:
            if re.match(r"(https?:)?//", target):
                yield f"{name}: loads {target} from another host"
        for target in page.loads + page.leads:
            if not target or re.match(r"([a-z]+:|//)", target) or name.name == "404.html":
                continue
            where, _, anchor = target.partition("#")
            end = (path.parent / unquote(where)).resolve() if where else path
            if end.is_dir():
                end /= "index.html"
            if not end.is_file():
                yield f"{name}: {target} does not exist"
            elif anchor and end in pages and unquote(anchor) not in pages[end].places:
                yield f"{name}: {target} names no place on that page"
    for number, line in enumerate((site / "llms.txt").read_text().splitlines(), 1):
        for target in re.findall(r"^- \[[^\]]+\]\(([^)]+)\)", line):
            if not (site / target).is_file():
                yield f"llms.txt:{number}: {target} does not exist"
    for path in sorted(site.rglob("*.css")):
        for target in re.findall(r"url\([\"']?((?:https?:)?//[^)\"']+)", path.read_text()):
            yield f"{path.relative_to(site)}: loads {target} from another host"


def main(site: Path) -> int:
    for path in site.rglob("*.html"):
        path.write_text(FOREIGN_SCRIPT.sub(lambda _, path=path: own_script(path, site), path.read_text()))
    found = list(breaches(site))
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[2]).resolve()))
