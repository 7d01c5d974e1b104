"""The chart of docs/scale.md: a bar for each limit and game; its length is the used share of the limit, in powers of
ten up to a hundred times."""
import math

from table import exact

LEFT, CELL_WIDTH, GAP, LINE_HEIGHT, TOP = 262, 174, 8, 25, 92
BAR_WIDTH, BAR_HEIGHT = CELL_WIDTH - GAP, LINE_HEIGHT - 5
STYLE = """\
  <style>
    .bg { fill: #fbfaf7; stroke: #d8d4ca; } .name { fill: #1f2d3d; } .head { fill: #1f2d3d; font-weight: bold; }
    .note { fill: #4d4a44; font-size: 12px; } .room { fill: #efece5; } .full { stroke: #44546a; stroke-dasharray: 3 3; }
    .well { fill: #9dbfa9; } .near { fill: #e3b96b; } .over { fill: #c8693a; } .value { fill: #1f2d3d; font-size: 12px; }
    @media (prefers-color-scheme: dark) {
      .bg { fill: #17212b; stroke: #2b3846; } .name, .head, .value { fill: #eef2f6; } .note { fill: #b9c4cf; }
      .room { fill: #243240; } .full { stroke: #7d93ab; } .well { fill: #4b7d5f; } .near { fill: #a87b2b; } .over { fill: #b0552b; }
    }
  </style>"""


def length(share):
    """Of a bar, in parts of its cell: 0 at 1 %, a half at 100 %, 1 at a hundred times."""
    decades = math.log(max(share, 0.01)) / math.log(10) + 2
    return min(max(decades, 0.02), 4) / 4


def kind(share):
    return "over" if share > 1 else "near" if share > 0.5 else "well"


def percent(share):
    if share > 1:
        return f"×{share:.0f}" if share >= 10 else f"×{share:.1f}"
    return f"{share * 100:.1f} %" if share < 0.01 else f"{share * 100:.0f} %"


def cell(x, y, share):
    width = length(share) * BAR_WIDTH
    return (f'  <rect class="room" x="{x}" y="{y}" width="{BAR_WIDTH}" height="{BAR_HEIGHT}"/>'
            f'<rect class="{kind(share)}" x="{x}" y="{y}" width="{width:.1f}" height="{BAR_HEIGHT}"/>'
            f'<path class="full" d="M{x + BAR_WIDTH / 2:.1f} {y} v{BAR_HEIGHT}"/>'
            f'<text class="value" x="{x + 5}" y="{y + 14}">{percent(share)}</text>')


def lines(games):
    """The chart of a list of `quantities.Needs`, as SVG."""
    columns = [(LEFT + i * CELL_WIDTH, needs) for i, needs in enumerate(games)]
    limits = games[0].limits
    width = LEFT + len(games) * CELL_WIDTH + 16
    height = TOP + len(limits) * LINE_HEIGHT + 52
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           'font-family="Helvetica, Arial, sans-serif" font-size="14">')
    yield "  <title>Demand of each size, compared with the limits</title>"
    yield STYLE
    yield f'  <rect class="bg" x="1" y="1" width="{width - 2}" height="{height - 2}" rx="10"/>'
    yield '  <text class="head" x="20" y="32">Demand as a share of each limit</text>'
    for x, needs in columns:
        workers = "1 worker" if needs.place.workers == 1 else f"{exact(needs.place.workers)} workers"
        yield f'  <text class="head" x="{x}" y="58">{workers}</text>'
        yield f'  <text class="note" x="{x}" y="76">{exact(needs.game.players)} players</text>'
    for i, limit in enumerate(limits):
        y = TOP + i * LINE_HEIGHT
        yield f'  <text class="name" x="20" y="{y + 15}">{limit.text}</text>'
        for x, needs in columns:
            yield cell(x, y, needs.limits[i].share)
    yield (f'  <text class="note" x="20" y="{height - 18}">Bars are logarithmic: empty is 1 % of the limit, '
           'the dashed line 100 %, full a hundred times the limit.</text>')
    yield "</svg>"
