"""The rows of a file of coefficients, as Markdown."""
HEADS = {"coefficients": "| coefficient | value | meaning | source |", "limits": "| limit | value | meaning | place in the code |"}


def lines(coefficients, kind):
    """`kind` is a key of HEADS."""
    yield HEADS[kind]
    yield "|---|---|---|---|"
    for row in coefficients.rows:
        if row.is_limit == (kind == "limits"):
            value = f"{row.written} {row.unit}" if row.unit else row.written
            yield f"| `{row.name.removeprefix('limit_')}` | {value} | {row.meaning} | {row.source} |"
