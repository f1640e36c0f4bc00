#!/bin/sh
# Node problem detector knows 0 ok, 1 problem, 2 unknown; a critical result is the problem.
cpulens check --last --max-age 90000
case $? in
    0 | 1) exit 0 ;;
    2) exit 1 ;;
    *) exit 2 ;;
esac
