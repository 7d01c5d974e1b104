"""Compares the structs of the Python package with the lines of layout.sh, on standard input."""

import ctypes
import sys

from perigee.structs import BY_NAME

fields = {name: set() for name in BY_NAME}
for line in sys.stdin:
    name, field, *there = line.split()
    struct = BY_NAME[name]
    if field == "-":
        here = [0, ctypes.sizeof(struct)]
    else:
        descriptor = getattr(struct, field)
        here = [descriptor.offset, descriptor.size]
        fields[name].add(field)
    assert here == [int(number) for number in there], f"{name}.{field}: offset and size {here}, in C {there}"
for name, struct in BY_NAME.items():
    own = {field for field, _ in struct._fields_}
    assert own == fields[name], f"{name}: {own ^ fields[name]} is not on both sides"
print(sum(map(len, fields.values())), "fields are where C has them")
