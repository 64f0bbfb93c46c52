/** Two examples per command for its `--help`. */
export const examples: Readonly<Record<string, readonly [string, string]>> = {
  serve: ['shortcrust', 'shortcrust serve --port 80 --data /srv/shortcrust --public-url http://nas'],
  keys: ['shortcrust keys add laptop', 'shortcrust keys add ci --expires 90d --rate 10/1m --only paste'],
  verify: ['shortcrust verify', 'shortcrust verify --data /srv/shortcrust'],
  backup: ['shortcrust backup backup.tgz', 'shortcrust backup - --data /srv/shortcrust > backup.tgz'],
  restore: ['shortcrust restore backup.tgz', 'shortcrust restore backup.tgz --data /srv/restored'],
  mirror: [
    'shortcrust mirror /srv/shortcrust /mnt/standby/shortcrust',
    'shortcrust mirror --update data /media/usb/data',
  ],
  stats: ['shortcrust stats', 'shortcrust stats --data /srv/shortcrust --json'],
  paste: ['shortcrust paste main.py --mask', 'dmesg | shortcrust paste -t "Kernel log" -l log -e 7d'],
  shorten: [
    'shortcrust shorten https://example.org/a/long/address',
    'shortcrust shorten https://example.org/ --alias guide -e 4w',
  ],
  delete: ['shortcrust delete guide', "shortcrust delete 'http://nas:8080/paste/delete?key=…'"],
  list: [
    'shortcrust list links --limit 200 --json',
    "shortcrust list --search 'error timeout' --language log --since 7d --sort size",
  ],
  check: ['shortcrust check', 'shortcrust check --timeout 5 --json'],
  get: ['shortcrust get notes --version 3 -o notes.md', 'shortcrust get syslog --lines 100-200 --grep error'],
  open: ['shortcrust open notes', 'shortcrust open http://nas:8080/s/guide'],
  edit: ['shortcrust edit notes', 'shortcrust edit http://nas:8080/s/guide'],
  versions: ['shortcrust versions notes', 'shortcrust versions notes --json'],
  diff: ['shortcrust diff notes --from 3', 'shortcrust diff notes http://nas/p/7y84tyt5ec > changes.patch'],
  export: ['shortcrust export everything.jsonl', 'shortcrust export | gzip > everything.jsonl.gz'],
  import: ['shortcrust import everything.jsonl', 'shortcrust import everything.jsonl --write'],
  login: ['shortcrust login nas:8080', 'shortcrust login https://paste.example.org < key-file'],
  logout: ['shortcrust logout', 'XDG_CONFIG_HOME=/srv/bot shortcrust logout'],
  completions: [
    'shortcrust completions fish > ~/.config/fish/completions/shortcrust.fish',
    'shortcrust completions zsh > ~/.zfunc/_shortcrust',
  ],
  doctor: ['shortcrust doctor', 'shortcrust doctor --url https://paste.example.org --data /srv/shortcrust'],
  healthcheck: ['shortcrust healthcheck', 'shortcrust healthcheck --host 192.168.1.5 --port 80'],
}
