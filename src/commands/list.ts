import type { Command } from './terminal.ts'

type Entry = {
  /** What stands behind the name in the usage line. */
  usage: string
  doc: string
  /** How many words may stand behind the name. */
  words: readonly [least: number, most: number]
  /** Loaded only when asked for, so that no command pays for another. */
  load: () => Promise<Command>
}

/** Every sub-command, in the order of `--help`. */
export const commands: Readonly<Record<string, Entry>> = {
  serve: {
    usage: '',
    doc: 'serve until told to stop',
    words: [0, 0],
    load: async () => (await import('./serve.ts')).serve,
  },
  keys: {
    usage: 'add NAME | list | revoke NAME',
    doc: 'make, list and revoke API keys, also while a server runs',
    words: [1, 2],
    load: async () => (await import('./keys.ts')).keys,
  },
  verify: {
    usage: '',
    doc: 'report every damaged or foreign file of the data folder',
    words: [0, 0],
    load: async () => (await import('./verify.ts')).verify,
  },
  backup: {
    usage: 'FILE|-',
    doc: 'write one archive of the data folder, also of a running server',
    words: [1, 1],
    load: async () => (await import('./backup.ts')).backup,
  },
  restore: {
    usage: 'FILE',
    doc: 'make an empty data folder from an archive',
    words: [1, 1],
    load: async () => (await import('./backup.ts')).restore,
  },
}

export const usageOf = (name: string) => `shortcrust ${name} ${commands[name]?.usage}`.trimEnd()
