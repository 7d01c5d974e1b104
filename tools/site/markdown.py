"""What a page of Markdown contains: its lines outside of fences, links, headings with their anchors."""
import posixpath
import re

FENCE = re.compile(r"^\s*(```+|~~~+)")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
SPAN = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")


def plain_lines(text: str):
    """(number from 1, line) of the lines outside of fenced blocks."""
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        mark = FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif fence:
            if mark and mark[1].startswith(fence):
                fence = ""
        else:
            yield number, line


def without_spans(line: str) -> str:
    """The line with blanks in place of `code`."""
    return SPAN.sub(lambda span: " " * len(span[0]), line)


def links(text: str):
    """(line number, whether a picture, target) of each link and picture."""
    for number, line in plain_lines(text):
        for link in LINK.finditer(without_spans(line)):
            yield number, link[1] == "!", link[3]
            if inner := LINK.search(link[2]):
                yield number, inner[1] == "!", inner[3]


def slug(heading: str) -> str:
    """The anchor of a heading, as git hosts and the site's generator make it."""
    plain = LINK.sub(r"\2", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def headings(text: str):
    """(line number, level, heading) of each heading."""
    for number, line in plain_lines(text):
        if heading := re.match(r"(#{1,6}) +(.+?)\s*#*$", line):
            yield number, len(heading[1]), heading[2]


def is_outside(target: str) -> bool:
    return re.match(r"[a-z]+:", target) is not None


def leads_to(page: str, target: str) -> str:
    """The path from the top of the tree to which `target` on `page` leads, without its anchor."""
    path = target.split("#")[0]
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page


def anchors(text: str) -> set[str]:
    """All places of a page that a link can name."""
    return ({slug(heading) for _, _, heading in headings(text)}
            | {name for _, line in plain_lines(text) for name in re.findall(r'<a id="([^"]+)">', line)})
