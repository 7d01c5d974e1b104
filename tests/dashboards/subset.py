"""The part of Grafana's dashboard format that ours use; deploy/grafana/README.md explains it.

A shape is a dictionary (keys that may occur, with their shapes), a list (all elements have that one shape), a set (the
values that may occur) or a type."""

NUMBER = (int, float)
TEXT = str
UNITS = {"short", "s", "percentunit", "pps", "bps", "Bps", "reqps", "bytes", "m"}
COLORS = {"green", "yellow", "orange", "red"}
VARIABLES = {"$__rate_interval", "$worker"}  # of expressions; ${__url_time_range} in links

DATA_SOURCE = {"type": {"prometheus"}, "uid": {"perigee"}}
LINK = {"title": TEXT, "url": TEXT}
PLACE = {"x": int, "y": int, "w": int, "h": int}
THRESHOLDS = {"mode": {"absolute"}, "steps": [{"color": COLORS, "value": (int, float, type(None))}]}
NO_NUMBER = {"type": {"special"}, "options": {"match": {"null+nan"}, "result": {"text": {"–"}}}}

DEFAULTS = {"unit": UNITS, "min": {0}, "max": NUMBER, "decimals": int, "thresholds": THRESHOLDS, "links": [LINK]}
LINES = {"lineWidth": {1}, "fillOpacity": {10, 40}, "stacking": {"mode": {"normal"}}, "thresholdsStyle": {"mode": {"line"}}}
QUERY = {"refId": TEXT, "legendFormat": TEXT, "expr": TEXT}


def panel(kind, defaults, options, query):
    return {"id": int, "type": {kind}, "title": TEXT, "description": TEXT, "datasource": DATA_SOURCE, "gridPos": PLACE,
            "fieldConfig": {"defaults": defaults, "overrides": []}, "options": options,
            "links": [{**LINK, "targetBlank": {True}}], "targets": [query]}


PANELS = {
    "row": {"id": int, "type": {"row"}, "title": TEXT, "gridPos": PLACE, "collapsed": {False}, "panels": []},
    "stat": panel("stat", {**DEFAULTS, "mappings": [NO_NUMBER]},
                  {"reduceOptions": {"calcs": [{"lastNotNull"}]}, "graphMode": {"none"}, "colorMode": {"value", "background"}},
                  {**QUERY, "instant": {True}}),
    "timeseries": panel("timeseries", {**DEFAULTS, "custom": LINES},
                        {"legend": {"displayMode": {"list"}, "placement": {"bottom"}}, "tooltip": {"mode": {"multi"}}},
                        {**QUERY, "interval": {"5s", "15s"}}),
    "table": panel("table", {"unit": UNITS, "noValue": TEXT, "decimals": int}, {"showHeader": {True}},
                   {**QUERY, "instant": {True}, "format": {"table"}}),
}
MAY_BE_MISSING = {"max", "decimals", "thresholds", "links", "stacking", "thresholdsStyle", "interval"}

WORKER = {"name": {"worker"}, "label": TEXT, "type": {"query"}, "datasource": DATA_SOURCE, "query": TEXT, "refresh": {2},
          "sort": {1}, "multi": {True}, "includeAll": {True}, "allValue": {".*"}, "current": {"text": TEXT, "value": {"$__all"}}}
BOARD = {"uid": TEXT, "title": TEXT, "tags": [{"perigee"}], "schemaVersion": {39}, "version": {1}, "editable": {False},
         "refresh": {"5s"}, "time": {"from": {"now-15m"}, "to": {"now"}}, "description": TEXT,
         "links": [{"type": {"dashboards"}, "title": TEXT, "tags": [{"perigee"}], "asDropdown": {False}, "keepTime": {True},
                    "includeVars": {False}, "targetBlank": {False}}],
         "templating": {"list": [WORKER]}, "panels": list}


def differences(value, shape, path=""):
    """One sentence for each part of `value` that the shape does not have."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return [f"{path} is not an object"]
        missing = [f"{path} has no {key}" for key in shape if key not in value and key not in MAY_BE_MISSING]
        return missing + [sentence for key, part in value.items() for sentence in (
            differences(part, shape[key], f"{path}.{key}") if key in shape else [f"{path}.{key} is not in the subset"])]
    if isinstance(shape, list):
        if not isinstance(value, list) or (value and not shape):
            return [f"{path} is not {'a list' if shape else 'empty'}"]
        return [sentence for i, part in enumerate(value) for sentence in differences(part, shape[0], f"{path}[{i}]")]
    if isinstance(shape, set):
        fits = any(type(value) is type(each) and value == each for each in shape)
    else:
        fits = isinstance(value, shape) and not isinstance(value, bool)
    return [] if fits else [f"{path} is {value!r}, which is not in the subset"]
