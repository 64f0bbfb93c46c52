#!/bin/sh
# Before the files go: a removal, unlike an upgrade, stops the service.
if [ "$1" -eq 0 ] && [ -d /run/systemd/system ]; then
  systemctl disable --now shortcrust.service >/dev/null || true
fi
