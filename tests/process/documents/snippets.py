#!/usr/bin/env python3
"""Checks each fenced block of the documents that is no shell: it is compiled, run or accepted, by the rules of snippets.txt.
Queries of metrics in the text are parsed by promtool, where it is installed.

usage: snippets.py ROOT BUILD_DIR [RULES [PAGES]]    PAGES: the folder with the documents. Exit code 1 with PAGE:LINE: breach
"""
import ast
import importlib
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMMANDS = re.compile(r"^\s*(\./|perigee-[a-z]+ +(-|[a-z]+$)"
                      r"|(apt-get|awk|cargo|cd|chmod|cmake|cp|ctest|curl|docker|echo|export|git|kill|ls|mkdir|mv|ninja|node|npm|openssl"
                      r"|pip|pkill|python3|rm|sed|ssh|sudo|systemctl)(\s|$))")
LANGUAGES = {"compiled": {"c", "cpp"}, "settings": {"toml"}, "python": {"python"}, "javascript": {"js"}, "cmake": {"cmake"}}
KINDS = ("compiled", "part", "taken", "settings", "python", "javascript", "cmake", "shown")


@dataclass
class Block:
    page: str
    line: int
    language: str
    lines: list[str]

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


@dataclass
class Rule:
    kind: str
    page: str
    first: str
    argument: str
    used: bool = False


def blocks_of(page: str, text: str):
    block, indent = None, ""
    for number, line in enumerate(text.splitlines(), 1):
        fence = re.match(r"(\s*)```+(\w*)", line)
        if fence and block is None:
            block, indent = Block(page, number, fence[2], []), fence[1]
        elif fence:
            yield block
            block = None
        elif block:
            block.lines.append(line.removeprefix(indent))


def run(*command, stdin: str = "") -> str:
    """What a command said, if it failed."""
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=120, check=False)
    return "" if done.returncode == 0 else (done.stderr + done.stdout).strip()


class Checks:
    """One function for each kind of rule: a sentence about what is wrong, or nothing."""

    def __init__(self, root: Path, build: Path, frames: Path):
        self.root, self.build, self.frames = root, build, frames
        self.framed: dict[str, list[Block]] = {}

    def compiled(self, block: Block, frame: str) -> str:
        place = f"//: {block.page}  {block.lines[0].strip()}"
        if not (self.frames / frame).is_file():
            return f"there is no frame {frame}"
        if place not in (line.strip() for line in (self.frames / frame).read_text().splitlines()):
            return f"{frame} has no line '{place}'"
        self.framed.setdefault(frame, []).append(block)
        return ""

    def compile_frame(self, frame: str) -> list[str]:
        """Compiles a frame with its blocks; faults have the page and the line."""
        of_place = {f"//: {block.page}  {block.lines[0].strip()}": block for block in self.framed[frame]}
        source, lost = [], []
        for number, line in enumerate((self.frames / frame).read_text().splitlines(), 1):
            block = of_place.get(line.strip())
            if block:
                source += [f'#line {block.line + 1} "{block.page}"', *block.lines, f'#line {number + 1} "{frame}"']
            elif line.strip().startswith("//: "):
                lost.append(f"{frame}:{number}: no page has a block that begins so: {line.strip()[4:]}")
            else:
                source.append(line)
        includes = [f"-I{folder}" for folder in [self.root] + sorted(self.root.glob("*/include")) + sorted(self.root.glob("sim/*/include"))]
        said = run("g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wno-unused", "-Werror", "-x", "c++", "-I", str(self.frames), *includes,
                   "-", stdin="\n".join(source))
        return lost + [line for line in said.splitlines() if ": error" in line]

    def part(self, block: Block, sources: str) -> str:
        wanted = [line.strip() for line in block.lines if line.strip()]
        for source in sorted(self.root.glob(sources)) + sorted(self.root.glob(f"{sources}/*.?pp")):
            if source.is_file():
                lines = [line.strip() for line in source.read_text(errors="ignore").splitlines() if line.strip()]
                if any(lines[i:i + len(wanted)] == wanted for i in range(len(lines) - len(wanted) + 1)):
                    return ""
        return f"is not what {sources} says"

    def taken(self, block: Block, test: str) -> str:
        path = self.root / test
        if not path.is_file():
            return f"there is no test {test}"
        return "" if block.page in path.read_text() else f"{test} does not take anything from {block.page}"

    def settings(self, block: Block, program: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            text = block.text
            for number, path in enumerate(re.findall(r'"(/[^"]+)"', text)):
                Path(folder, str(number)).write_text("{}")
                text = text.replace(path, f"{folder}/{number}")
            Path(folder, "file.toml").write_text(text)
            said = run(str(self.build / program), "--config", f"{folder}/file.toml", "--check-config")
        return f"{program} refuses it: {said}" if said else ""

    def python(self, block: Block, _argument: str) -> str:
        try:
            tree = ast.parse(block.text)
        except SyntaxError as error:
            return f"is no Python: {error}"
        modules = [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
        modules += [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        if not all(importlib.util.find_spec(module.split(".")[0]) for module in modules):
            return ""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "block.py").write_text(block.text)
            said = run("sh", "-c", f"cd '{folder}' && python3 block.py")
        return f"ends with: {said.splitlines()[-1]}" if said else ""

    def javascript(self, block: Block, _argument: str) -> str:
        said = run("node", "--input-type=module", "--check", stdin=block.text)
        return f"is no JavaScript: {said.splitlines()[-1]}" if said else ""

    def cmake(self, block: Block, _argument: str) -> str:
        ours = "".join(path.read_text() for path in self.root.glob("cmake/*.cmake"))
        for name in re.findall(r"^\s*(\w+)\(", block.text, re.M):
            if not re.search(rf"^(function|macro)\({name}\b", ours, re.M) and run("cmake", "--help-command", name):
                return f"neither CMake nor perigee has a function {name}"
        config = (self.root / "cmake/perigeeConfig.cmake.in").read_text()
        for names in re.findall(r"find_package\(perigee .*COMPONENTS ([\w ]+)\)", block.text):
            for name in names.split():
                if not re.search(rf"\b{name}\b", config):
                    return f"perigee has no component {name}"
        return ""

    def shown(self, _block: Block, _reason: str) -> str:
        return ""


def rules_of(path: Path) -> list[Rule]:
    rules = []
    for line in path.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        rule = re.fullmatch(r"(\w+)\s+(\S+)\s+(.*?)\s+=>\s+(.+)", line)
        if not rule or rule[1] not in KINDS:
            sys.exit(f"{path.name}: not a rule: {line}")
        rules.append(Rule(*rule.groups()))
    return rules


def parsed(block: Block) -> str:
    """JSON and YAML: whether they are. A block of JSON is a value, or one in each line, as in a log."""
    try:
        if block.language == "json":
            for text in block.lines if all(line.startswith("{") and line.endswith("}") for line in block.lines) else [block.text]:
                json.loads(text)
        elif importlib.util.find_spec("yaml"):
            list(importlib.import_module("yaml").safe_load_all(block.text))
    except Exception as error:  # each parser has kinds of its own
        return f"is no {block.language}: {error}"
    return ""


def judge(block: Block, rules: list[Rule], checks: Checks) -> str:
    if block.language == "":
        for line in block.lines:
            if COMMANDS.match(line):
                return f"looks like commands: '{line.strip()}'; write ```sh, or '$ ' before a command whose output follows"
        return ""
    if block.language in ("json", "yaml"):
        return parsed(block)
    for rule in rules:
        if block.language not in LANGUAGES.get(rule.kind, {block.language}):
            continue
        if re.fullmatch(rule.page, block.page) and re.fullmatch(rule.first, block.lines[0].strip() if block.lines else ""):
            rule.used = True
            return getattr(checks, rule.kind)(block, rule.argument)
    return f"no rule for this block of {block.language}; add one to snippets.txt: how it is compiled or run, or why it is not"


def queries_of(page: str, text: str, families: set[str]):
    """(PAGE:LINE, query): code between backticks that names a metric and does something with it."""
    for number, line in enumerate(text.splitlines(), 1):
        for span in re.findall(r"`([^`]+)`", line):
            span = span.replace("\\|", "|")  # as it is written in a table
            names = re.findall(r"\bperigee_\w+", span)
            if any(name in families for name in names) and re.search(r"[(\[{]|[<>=]", span) and "…" not in span:
                yield f"{page}:{number}", span


def breaches_of_queries(queries: list[tuple[str, str]]):
    """promtool parses all of them at once, as rules."""
    if not shutil.which("promtool") or not queries:
        return
    with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
        file.write("groups:\n- name: documents\n  rules:\n")
        for number, (_, query) in enumerate(queries):
            file.write(f"  - record: query_{number}\n    expr: {json.dumps(query)}\n")
        file.flush()
        said = run("promtool", "check", "rules", file.name)
    for number, fault in re.findall(r'"query_(\d+)": (.*)', said):
        where, query = queries[int(number)]
        yield f"{where}: `{query}` is no query of Prometheus: {fault}"


def main(root: Path, build: Path, rules_file: Path, folder: Path) -> int:
    listed = subprocess.run(["git", "-C", folder, "ls-files", "-co", "--exclude-standard", "*.md"], capture_output=True, text=True, check=False)
    pages = listed.stdout.split() or [str(path.relative_to(folder)) for path in folder.rglob("*.md")]
    found = [block for page in sorted(set(pages)) if page != "CHANGELOG.md" and (folder / page).is_file()
             for block in blocks_of(page, (folder / page).read_text()) if block.language != "sh"]
    metrics = root / "docs/metrics.md"
    families = {name + suffix for name in re.findall(r"^\| `(perigee_\w+)`", metrics.read_text(), re.M) for suffix in ("", "_bucket", "_count", "_sum")}
    queries = [query for page in sorted(set(pages)) if (folder / page).is_file()
               for query in queries_of(page, (folder / page).read_text(), families)]
    rules, checks = rules_of(rules_file), Checks(root, build, rules_file.parent / "snippets")
    breaches = []
    for block in found:
        if said := judge(block, rules, checks):
            breaches.append(f"{block.page}:{block.line}: {said}")
    with ThreadPoolExecutor(2) as both:
        for said in both.map(checks.compile_frame, checks.framed):
            breaches += said
    breaches += breaches_of_queries(queries)
    breaches += [f"{rules_file.name}: no document has a block for this rule: {rule.kind} {rule.page} {rule.first}"
                 for rule in rules if not rule.used]
    shown = sum(rule.kind == "shown" for rule in rules)
    print("\n".join(breaches) if breaches else f"{len(found)} blocks, of which {shown} have a reason not to be checked here; {len(queries)} queries")
    return 1 if breaches else 0


if __name__ == "__main__":
    ROOT = Path(sys.argv[1]).resolve()
    sys.exit(main(ROOT, Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else HERE / "snippets.txt",
                  Path(sys.argv[4]).resolve() if len(sys.argv) > 4 else ROOT))
