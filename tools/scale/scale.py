"""./perigee scale: the resources that a game of a given size needs. The working directory is the top of the tree."""
import dataclasses
import pathlib
import signal
import sys

import checks
import coefficients
import lists
import model
import options
import picture
import table

# Players, players on each worker: the sizes of docs/scale.md.
SIZES = ((100, 100), (5000, 500), (50000, 500), (1000000, 1000), (1000000, 500))


def games_of(request, measured):
    if request.games == "checks" or request.prints == "checks":
        return [options.parse(check.options, request.game).game for check in measured]
    if request.games == "sizes":
        return [dataclasses.replace(request.game, players=players, players_per_worker=per_worker)
                for players, per_worker in SIZES]
    return [request.game]


def lines(request):
    if request.prints == "usage":
        return options.USAGE.splitlines()
    if not pathlib.Path(request.coefficients).is_file():
        raise options.WrongUsage(f"--coefficients: there is no file '{request.coefficients}'")
    k = coefficients.read(request.coefficients)
    measured = checks.read()
    # Also before a list: a file that lacks something is refused.
    needs = [model.reckon(game, k) for game in games_of(request, measured)]
    if request.prints == "list":
        return lists.lines(k, request.list_kind)
    if request.prints == "checks":
        return checks.lines(measured, needs)
    return picture.lines(needs) if request.prints == "picture" else table.lines(needs)


def main(words):
    # A reader that closes the pipe early, such as head, ends the program without a message.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    try:
        text = "\n".join(lines(options.parse(words)))
    except coefficients.Refused as refused:
        print(f"perigee: {refused}", file=sys.stderr)
        return 2
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
