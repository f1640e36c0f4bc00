#!/bin/sh
echo "CPULENS SOMETHING - a CPU's words | 'a'=1"
[ "$STATUS" = killed ] && kill -9 $$
exit "${STATUS:-0}"
