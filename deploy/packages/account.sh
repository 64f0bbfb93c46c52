#!/bin/sh
# The first part of the script that a package runs once its files are in place: the service's user and data folder.
set -e

data=/var/lib/shortcrust
getent passwd shortcrust >/dev/null ||
  useradd --system --user-group --home-dir "$data" --no-create-home --shell /usr/sbin/nologin shortcrust
[ -e "$data" ] || install -d -o shortcrust -g shortcrust -m 700 "$data"

