#!/bin/bash
export ENVIRONMENT
[ "$SLURMD_NODENAME" = BAD ] && export STATUS=2
die() { scontrol update nodename="$SLURMD_NODENAME" state=drain reason="${*:2}"; }
log() { :; }
. CHECK
check_cpulens 90000
