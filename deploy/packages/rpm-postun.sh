#!/bin/sh
# After the files are gone, or replaced by those of another version. The data stays in /var/lib/shortcrust.
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload || true
  if [ "$1" -ge 1 ]; then
    systemctl try-restart shortcrust.service || true
  fi
fi
