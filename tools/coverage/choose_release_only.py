#!/usr/bin/env python3
"""Chooses the tests that only long runs play with sanitizers.

The other tests together execute every region of the rooms' code that all tests execute, so these would only repeat with
sanitizers what others have done. Each directory of tests/ with a release_only.txt takes part, and has its choice written
there.

  cmake --preset coverage && ninja -C build/coverage sanitized_tests
  tools/coverage/choose_release_only.py build/coverage          about 30 minutes on two cores; needs llvm-19
  tools/coverage/choose_release_only.py build/release --check   whether the lists name tests
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

TESTS = pathlib.Path(__file__).parents[2] / "tests"
HEADER = """\
# With sanitizers, only long runs play these tests: the others execute every region of code that these execute.
# Made by tools/coverage/choose_release_only.py.
"""
OF_LAB = re.compile(r"(^|:)_Z+N?K?N?K?7perigee3lab")  # it only tests, so its code demands no test
SECONDS_MIN = 3.0  # shorter tests are played with sanitizers, too


class Program:
    """A program of tests with its list."""

    def __init__(self, build, release_only):
        directory = release_only.parent
        self.release_only = release_only
        self.is_system = directory.name == "system"
        self.path = build / directory.relative_to(TESTS.parent) / (
            "system_tests" if self.is_system else f"unit_{directory.name}"
        )

    def names(self):
        """Its tests: their names for its filter, and those for the list. ctest's names have a parameter's value."""
        command, no_profile = [self.path, "--gtest_list_tests"], os.environ | {"LLVM_PROFILE_FILE": "/dev/null"}
        listed = subprocess.run(command, capture_output=True, text=True, check=True, env=no_profile).stdout
        suite, tests = "", {}
        for line in listed.splitlines():
            name, _, value = (part.strip() for part in line.partition("#"))
            if not line.startswith(" "):
                suite = name
            elif not name.startswith("DISABLED_"):
                value = value.removeprefix("GetParam() = ")
                listed_name = re.sub(r"/\d+$", lambda _: "/" + value, name) if self.is_system and value else name
                tests[suite + name] = suite + listed_name
        return tests

    def long_tests(self):
        """Those of its tests that may be long: all of system_tests, which take longer to play than to start."""
        if self.is_system:
            return list(self.names())
        with tempfile.NamedTemporaryFile(suffix=".json") as report:
            play(self.path, [f"--gtest_output=json:{report.name}"])
            suites = json.load(report)["testsuites"]
        tests = [(suite["name"], test) for suite in suites for test in suite["testsuite"]]
        return [f"{suite}.{test['name']}" for suite, test in tests if float(test["time"][:-1]) >= SECONDS_MIN]


def programs_of(build):
    return [Program(build, path) for path in sorted(TESTS.glob("**/release_only.txt"))]


def executed_regions(profile):
    """The regions with a count above zero in a raw profile, as (function, hash, number)."""
    command = ["llvm-profdata-19", "merge", "--text", "--sparse", "-o", "-", profile]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line and line[0] not in "#:"]
        if len(lines) < 3 or OF_LAB.search(lines[0]):
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


def play(program, arguments):
    """Seconds and executed regions of a run."""
    with tempfile.NamedTemporaryFile(suffix=".profraw") as profile:
        began = time.monotonic()
        played = subprocess.run(
            [program, *arguments],
            capture_output=True,
            check=False,
            env=os.environ | {"LLVM_PROFILE_FILE": profile.name},
        )
        seconds = time.monotonic() - began
        if played.returncode != 0:
            said = (played.stdout + played.stderr).decode(errors="replace").splitlines()
            failed = [line for line in said if re.search(r"Failure|FAILED|ERROR|runtime error", line)]
            sys.exit("\n".join(failed + [f"{program.name} {' '.join(arguments)} failed; correct it first"]))
        return seconds, set(executed_regions(profile.name))


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
        best = max(tests, key=lambda name: (tests[name][1] & missing).bit_count() / tests[name][0])
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


def measure(build, programs):
    """Seconds and regions of each long test as (program, name), and the regions of all other tests."""
    units = sorted(path for path in build.glob("tests/unit/*/unit_*") if path.is_file() and os.access(path, os.X_OK))
    regions, others, tests = Regions(), 0, {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        alone = dict(zip(programs, pool.map(Program.long_tests, programs)))
        without = {program.path: "-" + ":".join(names) for program, names in alone.items()}
        jobs = [(unit, None, without.get(unit, "*")) for unit in units]
        jobs += [(program.path, (program, name), name) for program, names in alone.items() for name in names]
        plays = pool.map(lambda job: play(job[0], [f"--gtest_filter={job[2]}"]), jobs)
        for (path, test, _), (seconds, executed) in zip(jobs, plays):
            print(f"{seconds:7.1f} s  {len(executed):6} regions  {test[1] if test else path.name}", flush=True)
            if test and seconds >= SECONDS_MIN:
                tests[test] = (seconds, regions.bits(executed))
            else:
                others |= regions.bits(executed)
    return others, tests


def check(programs):
    for program in programs:
        listed = [line for line in program.release_only.read_text().splitlines() if not line.startswith("#")]
        unknown = sorted(set(listed) - set(program.names().values()))
        if unknown or not listed:
            problem = f"names tests that do not exist: {', '.join(unknown)}" if unknown else "is empty"
            sys.exit(f"{program.release_only.relative_to(TESTS.parent)} {problem}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="a build of the preset `coverage`; with --check, any build")
    parser.add_argument("--check", action="store_true", help="fail if a list names a test that does not exist")
    options = parser.parse_args()
    programs = programs_of(options.build.resolve())
    if options.check:
        return check(programs)
    others, tests = measure(options.build.resolve(), programs)
    chosen = choose(others, tests)
    for program in programs:
        names = program.names()
        listed = [test for test in tests if test[0] is program and test not in chosen]
        program.release_only.write_text(HEADER + "".join(names[name] + "\n" for _, name in sorted(listed)))
        all_s = sum(seconds for (of, _), (seconds, _) in tests.items() if of is program)
        print(
            f"{program.path.name}: {len(listed)} tests repeat what others execute, and take "
            f"{sum(tests[test][0] for test in listed):.0f} of the {all_s:.0f} s of tests from {SECONDS_MIN:.0f} s on"
        )


if __name__ == "__main__":
    main()
