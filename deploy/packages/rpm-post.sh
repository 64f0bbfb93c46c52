# As packages of Fedora do, it leaves starting the service to the administrator.
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload || true
fi
if [ "$1" -eq 1 ]; then
  echo 'Start Shortcrust, now and with the machine: sudo systemctl enable --now shortcrust'
  echo 'Then its address and first API key are here: sudo journalctl -u shortcrust -o cat'
fi
