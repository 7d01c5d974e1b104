#!/usr/bin/env python3
"""Chooses the system tests that only long runs play with sanitizers.

The other system tests and all unit tests together execute every region of the rooms' code that all tests execute,
so these would only repeat with sanitizers what others have done. Writes tests/system/release_only.txt.

  cmake --preset coverage && ninja -C build/coverage sanitized_tests
  tools/coverage/choose_release_only.py build/coverage          about 25 minutes on two cores; needs llvm-19
  tools/coverage/choose_release_only.py build/release --check   whether the list names tests
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

LIST = pathlib.Path(__file__).parents[2] / "tests/system/release_only.txt"
HEADER = """\
# With sanitizers, only long runs play these tests: the others execute every region of code that these execute.
# Made by tools/coverage/choose_release_only.py.
"""
SECONDS_MIN = 3.0  # shorter tests are played with sanitizers, too


def executed_regions(profile):
    """The regions with a count above zero in a raw profile, as (function, hash, number)."""
    command = ["llvm-profdata-19", "merge", "--text", "--sparse", "-o", "-", profile]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line and line[0] not in "#:"]
        if len(lines) < 3:
            continue
        name, code, count = lines[0], lines[1], int(lines[2])
        for number, executions in enumerate(lines[3 : 3 + count]):
            if executions != "0":
                yield name, code, number


class Regions:
    """Sets of regions as integers with one bit for each region: their unions and differences are fast."""

    def __init__(self):
        self.numbers = {}

    def bits(self, regions):
        bits = bytearray(1 << 20)
        for region in regions:
            at = self.numbers.setdefault(region, len(self.numbers))
            bits[at // 8] |= 1 << at % 8
        return int.from_bytes(bits, "little")


def play(program, test):
    """Seconds and executed regions of a test, or of all tests of a program."""
    with tempfile.NamedTemporaryFile(suffix=".profraw") as profile:
        command = [program] + ([f"--gtest_filter={test}"] if test else [])
        began = time.monotonic()
        played = subprocess.run(
            command, capture_output=True, check=False, env=os.environ | {"LLVM_PROFILE_FILE": profile.name}
        )
        seconds = time.monotonic() - began
        if played.returncode != 0:
            sys.exit(f"{test or program} failed; correct it first")
        return seconds, set(executed_regions(profile.name))


def tests_of(program):
    """The tests of a program: their names for its filter, and ctest's names, which have a parameter's value."""
    command, no_profile = [program, "--gtest_list_tests"], os.environ | {"LLVM_PROFILE_FILE": "/dev/null"}
    listed = subprocess.run(command, capture_output=True, text=True, check=True, env=no_profile).stdout
    suite, tests = "", {}
    for line in listed.splitlines():
        name, _, value = (part.strip() for part in line.partition("#"))
        if not line.startswith(" "):
            suite = name
        elif not name.startswith("DISABLED_"):
            value = value.removeprefix("GetParam() = ")
            tests[suite + name] = suite + (re.sub(r"/\d+$", lambda _: "/" + value, name) if value else name)
    return tests


def choose(others, tests):
    """The names of tests that execute together what all `tests` execute and `others` do not.

    `tests` has seconds and bits for each name. The test with the most new regions for its time comes first; then
    those are removed that later choices have made unnecessary, the most expensive first.
    """
    missing = 0
    for _, bits in tests.values():
        missing |= bits & ~others
    wanted, chosen = missing, []
    while missing:
        best = max(tests, key=lambda name: (tests[name][1] & missing).bit_count() / max(tests[name][0], 0.02))
        chosen.append(best)
        missing &= ~tests[best][1]
    for name in sorted(chosen, key=lambda name: -tests[name][0]):
        rest = 0
        for kept in chosen:
            if kept != name:
                rest |= tests[kept][1]
        if not wanted & ~rest:
            chosen.remove(name)
    return set(chosen)


def measure(build):
    """Seconds and regions of each system test, and the regions of all unit tests."""
    units = sorted(path for path in build.glob("tests/unit/*/unit_*") if path.is_file() and os.access(path, os.X_OK))
    system = build / "tests/system/system_tests"
    jobs = [(program, None) for program in units] + [(system, test) for test in tests_of(system)]
    regions, others, tests = Regions(), 0, {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (program, test), (seconds, executed) in zip(jobs, pool.map(lambda job: play(*job), jobs)):
            print(f"{seconds:7.1f} s  {len(executed):6} regions  {test or program.name}", flush=True)
            if test:
                tests[test] = (seconds, regions.bits(executed))
            else:
                others |= regions.bits(executed)
    return others, tests


def check(known):
    listed = [line for line in LIST.read_text().splitlines() if not line.startswith("#")]
    unknown = sorted(set(listed) - set(known))
    if unknown or not listed:
        sys.exit(f"{LIST.name} names tests that do not exist: {', '.join(unknown)}" if unknown else f"{LIST.name} is empty")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="a build of the preset `coverage`; with --check, any build")
    parser.add_argument("--check", action="store_true", help="fail if the list names a test that does not exist")
    options = parser.parse_args()
    names = tests_of(options.build / "tests/system/system_tests")
    if options.check:
        return check(names.values())
    others, tests = measure(options.build)
    chosen = choose(others, tests)
    listed = [name for name, (seconds, _) in tests.items() if name not in chosen and seconds >= SECONDS_MIN]
    LIST.write_text(HEADER + "".join(names[name] + "\n" for name in sorted(listed)))
    print(
        f"{len(listed)} of {len(tests)} system tests repeat what others execute, and take "
        f"{sum(tests[name][0] for name in listed):.0f} of {sum(seconds for seconds, _ in tests.values()):.0f} s: {LIST}"
    )


if __name__ == "__main__":
    main()
