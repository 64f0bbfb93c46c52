/** What each exit code means; `docs/clients.md` shows the same table. */
export const exitCodes = {
  0: 'done',
  1: 'refused by the server, an input that cannot be sent, or an output that cannot be written',
  2: 'wrong usage: a flag, a word, or no server or key is known',
  3: 'not authorised: the server does not take this key, or not for this',
  4: 'rate limited: try again after the seconds the message names',
  5: 'no Shortcrust server was reached: wrong address, network, TLS, or nothing moved for too long',
  6: 'the server failed to store: disk full or faulty',
  141: 'whoever read the output went away before its end, as in `| head -1`',
} as const

export type ExitCode = keyof typeof exitCodes

/** Why something was not done, in one line for the person at the terminal. */
export type Failure = {
  problem: string
  exitCode: ExitCode
  /** Whole seconds after which the same request may succeed; only of exit code 4. */
  retryAfterSeconds?: number
  /** HTTP status, where the server refused. */
  status?: number
}
