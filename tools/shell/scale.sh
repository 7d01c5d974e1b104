# shellcheck shell=bash
# The resources that a game of a given size needs, by the model of docs/scale.md.

scale_command() {
  need_tool python3 python3
  python3 -B tools/scale/scale.py "$@" # -B: no compiled files in the tree
}
