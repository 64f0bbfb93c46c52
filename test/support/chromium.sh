#!/bin/sh
# Three browsers on two cores left no time to the process that makes pages, which yields to everything else.
exec nice -n 10 "$SHORTCRUST_CHROMIUM" "$@"
