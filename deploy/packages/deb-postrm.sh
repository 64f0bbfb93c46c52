#!/bin/sh
# After the files are gone. `remove` keeps settings and data, `purge` removes both. The user stays: what it owned
# elsewhere, such as backups, must not become another's.
set -e

if [ -d /run/systemd/system ]; then
  systemctl --system daemon-reload >/dev/null || true
fi
if [ "$1" = purge ]; then
  deb-systemd-helper purge shortcrust.service >/dev/null || true
  rm -rf /var/lib/shortcrust || true
fi
