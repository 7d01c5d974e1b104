#!/usr/bin/env bash
# Chromium, after the cluster that it plays in: it draws with the processor, and the cluster runs in real time.
# Linux gives each session a share, however nice its processes are, so its session is nice as well. As root
# Chromium would give its graphics process priority over everything, so it may not change priorities.
echo 10 2>/dev/null >/proc/self/autogroup || true
exec setpriv --bounding-set=-sys_nice --inh-caps=-sys_nice nice -n 10 "$PERIGEE_CHROMIUM" "$@"
