#!/usr/bin/env bash
# Chromium, after everything else: it draws with the processor, and other tests run in real time. As
# root it would give its graphics process priority over them, so it may not change priorities.
exec setpriv --bounding-set=-sys_nice --inh-caps=-sys_nice nice -n 10 "$PERIGEE_CHROMIUM" "$@"
