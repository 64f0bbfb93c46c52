/** The syncs that are needed, by the site names of `readTrace`: without one, an acknowledged item is lost or half there. */
export const neededSyncs: readonly string[] = [
  'bytes of items/xx/*.json',
  'items/xx, renamed items/xx/*.json',
  'items/xx, renamed items/xx/*.gone',
  'items/xx, removed items/xx/*.json',
  'bytes of items/xx/*.n.json',
  'items/xx, renamed items/xx/*.n.json',
  'items/xx, removed items/xx/*.n.json',
  'bytes of aliases/items/xx/*.json',
  'aliases/items/xx, renamed aliases/items/xx/*.json',
  'items, made a folder',
  'aliases/items, made a folder',
  'aliases, made a folder',
  'the data folder, made a folder',
  'the disk, made a folder',
  'bytes of keys.json',
  'the data folder, renamed keys.json',
  'bytes of shortcrust.json',
  'bytes of counts.sqlite',
  'bytes of index.sqlite-wal',
]

/**
 * Syncs that acknowledge nothing: what SQLite does in files that may be lost, and two that a folder sees once, with its first
 * start, for the files are written as all others are. A file that a kill left in `tmp` is nobody's.
 */
export const isSpare = (site: string) =>
  /\b((index|counts|words)\.sqlite|words\.key)\b/.test(site) ||
  ['the data folder, renamed shortcrust.json', 'the data folder, unchanged'].includes(site) ||
  site.startsWith('bytes of tmp/') ||
  site.startsWith('tmp,')
