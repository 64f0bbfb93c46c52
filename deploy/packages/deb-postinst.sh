# Enables and starts the service, as packages of Debian do; an administrator's `systemctl disable` is kept.
deb-systemd-helper unmask shortcrust.service >/dev/null || true
if deb-systemd-helper --quiet was-enabled shortcrust.service; then
  deb-systemd-helper enable shortcrust.service >/dev/null || true
else
  deb-systemd-helper update-state shortcrust.service >/dev/null || true
fi

if [ ! -d /run/systemd/system ]; then
  echo 'Shortcrust is installed, but not started: systemd does not run here.'
  exit 0
fi
systemctl --system daemon-reload >/dev/null || true
if [ -n "$2" ]; then
  deb-systemd-invoke restart shortcrust.service >/dev/null || true
  exit 0
fi
is_new=$([ -e "$data/shortcrust.json" ] || echo yes)
deb-systemd-invoke start shortcrust.service >/dev/null || true
[ -z "$is_new" ] || echo 'Shortcrust has started. Its address and first API key: sudo journalctl -u shortcrust -o cat'
echo 'Only this machine can reach it. For others, set SHORTCRUST_HOST in /etc/shortcrust.env.'
