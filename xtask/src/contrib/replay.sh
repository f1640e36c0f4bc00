#!/bin/sh
# As roles and jobs call it: check --name NAME --record FILE
[ "$1 $2 $4" = "check --name --record" ] && cp "${RUNS:-/mnt}/$3.json" "$5" && exit "${STATUS:-0}"
