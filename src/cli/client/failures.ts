/** The meaning of each exit code; docs/reference.md has the same table. */
export const exitCodes = {
  0: 'done',
  1: 'refused, a link is gone, the server cannot start, an input cannot be sent, or an output cannot be written',
  2: 'wrong usage: a flag, a word, or no server or key is known',
  3: 'not authorised: the server does not take this key, or not for this',
  4: 'rate limited: try again after the seconds the message names',
  5: 'no Shortcrust server was reached: wrong address, network, TLS, or nothing moved for too long',
  6: 'the server failed to store: disk full or faulty',
  129: 'ended by a hangup: `backup`, `restore` or `mirror`, which leave nothing unfinished behind',
  130: 'ended by Ctrl-C: one of these, `login`, or a server that was stopped a second time',
  141: 'the reader of the output stopped early, as in `| head -1`',
  143: 'ended by SIGTERM: `backup`, `restore` or `mirror`',
} as const

export type ExitCode = keyof typeof exitCodes

type Reply = {
  /** HTTP status, if the server refused. */
  status?: number
  /** What the server wrote, safe to print. */
  says?: string
  /** Whole seconds before a retry may succeed; only with exit code 4. */
  retryAfterSeconds?: number
}

/** Why a command stopped; the message is one line for the terminal. */
export class Failure extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode,
    readonly reply: Reply = {},
  ) {
    super(message)
  }
}

/** A mistake on the command line. */
export const wrongUsage = (message: string) => new Failure(message, 2)

/** The answer does not come from Shortcrust. */
export const foreignServer = (server: string, what: string) =>
  new Failure(`${server} does not answer like a Shortcrust server (${what})`, 5)

/** Does the work, and puts the subject in front of a failure's message. */
export const about = async <T>(subject: string, work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure(`${subject}: ${error.message}`, error.exitCode, error.reply)
  }
}
