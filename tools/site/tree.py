"""The tree of the documentation: docs/tree.txt, read into groups and pages."""
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

TREE = "docs/tree.txt"


@dataclass
class Node:
    """A page with its title, or a group of nodes."""

    title: str
    page: str = ""  # a path from the top of the tree
    nodes: list["Node"] = field(default_factory=list)

    def pages(self):
        if self.page:
            yield self
        for node in self.nodes:
            yield from node.pages()


def files(root: Path) -> list[str]:
    """What git knows below `root`, and new files; in a folder without git, all files."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        return sorted(path for path in set(listed.stdout.splitlines()) if (root / path).is_file())
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def folder_groups(root: Path, folder: str) -> list[Node]:
    """The pages of a folder, as its README groups them: a heading, and rows `[0001](page.md) | title`."""
    groups = [Node("Others")]
    for line in (root / folder / "README.md").read_text().splitlines():
        if heading := re.fullmatch(r"## (.+)", line):
            groups.append(Node(heading[1]))
        elif row := re.match(r"\| \[(\w+)\]\(([\w.-]+\.md)\) \| (.+?) \|$", line):
            title = re.sub(r"`|\[([^\]]*)\]\([^)]*\)", r"\1", row[3])
            groups[-1].nodes.append(Node(f"{row[1]} {title}", f"{folder}/{row[2]}"))
    return [group for group in groups if group.nodes]


def read(root: Path) -> tuple[Node, dict[str, str], list[str]]:
    """The tree, the pages that are excused with their reasons, and sentences about wrong lines."""
    top, excused, breaches = Node("perigee"), {}, []
    open_groups = [(-1, top)]
    for number, line in enumerate((root / TREE).read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if excuse := re.fullmatch(r"not a page: (\S+)  (\S.*)", line):
            excused[excuse[1]] = excuse[2]
            continue
        entry = re.fullmatch(r"((?:  )*)(\S[^:]*)(?:: (\S+\.md|\S+/\*))?", line)
        if not entry or entry[2] == "not a page":
            breaches.append(f"{TREE}:{number}: neither 'TITLE: PAGE', nor a group, nor 'not a page: PAGE  REASON': {line}")
            continue
        depth, title, page = len(entry[1]), entry[2], entry[3] or ""
        while open_groups[-1][0] >= depth:
            open_groups.pop()
        if page.endswith("/*"):
            node = Node(title, nodes=folder_groups(root, page[:-2]))
        else:
            node = Node(title, page)
        open_groups[-1][1].nodes.append(node)
        if not page:
            open_groups.append((depth, node))
    return top, excused, breaches
