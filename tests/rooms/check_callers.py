#!/usr/bin/env python3
"""The model-checked state machines of sim/migration are those that a worker runs: each public function
has a caller outside of the room and of the tests, no hook is empty there, and each rule is applied
and has a test without it. Prints file:line of every breach; exit code 1 if any.
  check_callers.py [ROOT]"""
import pathlib
import re
import sys

ROOM = "sim/migration/include"
PRODUCT = ["sim", "gateway", "client", "embed", "services", "platform", "storage", "lab", "examples"]
RULES_TEST = "tests/unit/migration/rules_test.cpp"


def declared(text):
    """(line number, name, is a hook) of each public member function and free function."""
    inside, public = False, True
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split("//")[0]
        if re.match(r"(class|struct)\b.*\{", line):
            inside, public = True, line.startswith("struct")
        elif line.startswith("}"):
            inside = False
        elif re.match(r" (public|private):", line):
            public = "public" in line
        indent = len(line) - len(line.lstrip())
        # Bodies and continued lines are indented further; definitions repeat a declaration.
        found = re.match(r"(?:[\w:<>,&*\[\] ]+[ &*])?([a-z_]\w*)\(", line[indent:])
        if not found or indent not in (0, 2) or (indent == 2 and not (inside and public)):
            continue
        before = line[indent:][: found.start(1)]
        if before.strip() in ("", "return") or before.endswith("::") or "requires" in before:
            continue
        yield number, found.group(1), "virtual " in before


def main(root):
    breaches = []
    headers = sorted((root / ROOM).rglob("*.hpp"))
    room = "".join(header.read_text() for header in headers)
    product = ""
    for folder in PRODUCT:
        for source in sorted((root / folder).rglob("*.?pp")):
            text = source.read_text()
            if "sim/migration" not in source.as_posix() and "migration" in text.lower():
                product += re.sub(r"//.*", "", text)
    tests = root / RULES_TEST
    tested = tests.read_text() if tests.exists() else ""
    for header in headers:
        where = header.relative_to(root).as_posix()
        text = header.read_text()
        for number, name, hook in declared(text):
            if hook:
                bodies = re.findall(rf"\b{name}\([^)]*\) override *(\{{ *\}}|;|\{{)", product)
                if not any(body.replace(" ", "") != "{}" for body in bodies):
                    breaches.append(f"{where}:{number}: the hook {name} does nothing in the product")
            elif not re.search(rf"(\.|->|\b(?:migration::)){name}\(", product):
                breaches.append(f"{where}:{number}: {name} has no caller in the product")
        rules = re.search(r"struct Rules \{.*?\n\};", text, re.S)
        for rule in re.finditer(r"bool (\w+) = true;", rules.group() if rules else ""):
            number = text[: rules.start() + rule.start()].count("\n") + 1
            if f"rules.{rule.group(1)}" not in room:
                breaches.append(f"{where}:{number}: the rule {rule.group(1)} is not applied")
            if f"&Rules::{rule.group(1)}" not in tested:
                breaches.append(f"{where}:{number}: the rule {rule.group(1)} has no test without it")
    print("\n".join(breaches), end="\n" if breaches else "")
    return 1 if breaches else 0


here = pathlib.Path(__file__).resolve().parents[2]
sys.exit(main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here))
