#!/bin/sh
# Before the files go: an upgrade restarts the service later, a removal stops it here.
set -e

if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  deb-systemd-invoke stop shortcrust.service >/dev/null || true
fi
