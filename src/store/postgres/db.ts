import { AppError, unusableFolder } from '../../errors.ts'
import { createHealth, type Health } from '../disk.ts'
import { prepareDatabase } from './schema.ts'

/** Asks one statement. @throws {AppError} storage errors; the error of the database for a key that is there already */
export type Ask = <R>(text: string, values?: readonly unknown[]) => Promise<readonly R[]>

/** Asks a database. Servers have no transaction open between two messages. */
export type Db = {
  query: Ask
  /** Does work in one transaction: all of it, or nothing. @param mode of `BEGIN`. @throws {AppError} storage errors; what `work` throws */
  transaction: (mode: string, work: (ask: Ask) => Promise<void>) => Promise<void>
  /** Whether the database can be written, as far as is known. */
  health: Health
  close: () => Promise<void>
}

export type DbParts = {
  /** `postgres://user:password@host:port/name?sslmode=…` */
  url: string
  /** Milliseconds until a statement has failed; 0 for as long as it takes. */
  limitMs?: number
  onHealthChange?: (isGood: boolean) => void
  /** Called with the reason why the database cannot be used yet. Without it, that is an error. */
  onWaiting?: (cause: string) => void
  /** Called with the reason why the database may lose what it has acknowledged. */
  onRisk?: (cause: string) => void
}

/** Connections of a process; those of all have to fit into `max_connections`. More made two cores slower. */
const connections = 10
/** Statements that wait for a connection; a further one is refused at once. */
const mostWaiting = 500
/** Until a connection is made or free. */
const connectMs = 5000

const codeOf = (error: unknown) => String((error as { code?: string }).code ?? '')

const reasonOf = (error: unknown) => (error as Error).message || codeOf(error)

/** A row with this key is there already. */
export const isTaken = (error: unknown) => codeOf(error) === '23505'

/** An answer that no later attempt changes: of the login, of the rights, or that there is no such database. */
const isRefusal = (error: unknown) => error instanceof AppError || /^(28|3D|42501)/.test(codeOf(error))

/** A fault of the statement alone: the next one may work. */
const isOfStatement = (error: unknown) => /^(2[0-4]|2B|40|42|55|57014|P0)/.test(codeOf(error))

/** What is wrong with the database; the cause is for the log. */
const failureOf = (cause: unknown) => {
  if (codeOf(cause) === '53100')
    return new AppError('storage-full', 'The disk of the database is full.', {}, { cause })
  const message = 'The database does not answer. Try again later.'
  return new AppError('storage-unavailable', message, { 'Retry-After': '5' }, { cause })
}

const openPool = async (url: string, limitMs: number) => {
  // Loaded only here, so a server on a folder does not pay for it.
  const { default: pg } = await import('pg')
  // A number holds every time and size.
  pg.types.setTypeParser(pg.types.builtins.INT8, Number)
  const address = new URL(url)
  // As `psql` reads it: "require" encrypts, and only the modes "verify-…" ask who answers.
  if (address.searchParams.has('sslmode')) address.searchParams.set('uselibpqcompat', 'true')
  const pool = new pg.Pool({
    ...{ connectionString: address.href, application_name: 'shortcrust', keepAlive: true },
    ...{ max: connections, connectionTimeoutMillis: connectMs, idleTimeoutMillis: 60_000 },
    ...{ statement_timeout: limitMs, query_timeout: limitMs && limitMs + 1000 },
  })
  // Without this, the end of an idle connection ends the process.
  pool.on('error', () => {})
  return pool
}

type Pool = Awaited<ReturnType<typeof openPool>>

/** Prepared once for each connection. */
const statement = (text: string, values: readonly unknown[] = []) => ({
  ...{ name: Bun.hash(text).toString(36), text, values: [...values] },
})

const createTransaction =
  (pool: Pool): Db['transaction'] =>
  async (mode, work) => {
    const failed = (cause: Error) => {
      throw new AppError('storage-unavailable', `The database failed: ${cause.message}`, {}, { cause })
    }
    const client = await pool.connect().catch(failed)
    // The end of the connection is the error of the statement.
    client.on('error', () => {})
    try {
      await client.query(`BEGIN ${mode}`).catch(failed)
      await work(async (text, values) => (await client.query(statement(text, values)).catch(failed)).rows)
      await client.query('COMMIT').catch(failed)
    } finally {
      // Ends the connection: what was not committed is undone.
      client.release(true)
    }
  }

/** A write that changes nothing: a full disk and a standby refuse it. */
const tryText = 'UPDATE meta SET version = version'

/**
 * Opens a database. With `onWaiting`, one that cannot be reached is tried again every second: until then, all it is asked fails.
 * @throws {AppError} `unusable-folder` if it refuses the login, or is of a version that this program does not know
 */
export const openDb = async (parts: DbParts): Promise<Db> => {
  const { url, limitMs = 10_000, onHealthChange = () => {}, onWaiting, onRisk } = parts
  const pool = await openPool(url, limitMs)
  let isPrepared = false
  let told: string | undefined

  const begin = async () => {
    const risk = isPrepared ? null : await prepareDatabase(async (text) => (await pool.query(text)).rows[0])
    await pool.query(tryText)
    isPrepared = true
    if (risk !== null) onRisk?.(risk)
  }
  const wait = (error: Error) => {
    if (!isPrepared && reasonOf(error) !== told) onWaiting?.(reasonOf(error))
    told = reasonOf(error)
    return error
  }
  const tryWrite = () =>
    begin().catch((error) => {
      throw wait(error)
    })
  const health = createHealth({ tryWrite, onChange: onHealthChange })
  const noteFault = (error: unknown) => health.watch(Promise.reject(error)).catch(() => {})
  const close = () => {
    health.close()
    return pool.end()
  }
  await begin().catch(async (error) => {
    if (onWaiting && !isRefusal(error)) return noteFault(wait(error))
    await close()
    const verb = isRefusal(error) ? 'refuses' : 'cannot be used'
    throw error instanceof AppError ? error : unusableFolder(`the database ${verb}: ${reasonOf(error)}`)
  })
  return {
    health,
    close,
    query: async (text, values) => {
      if (!isPrepared) throw failureOf(new Error('the database was not reached yet'))
      if (pool.waitingCount >= mostWaiting) throw failureOf(new Error('too many statements wait'))
      try {
        return (await pool.query(statement(text, values))).rows
      } catch (error) {
        if (isTaken(error)) throw error
        // A fault of the database counts until a write works again.
        if (!isOfStatement(error)) await noteFault(error)
        throw failureOf(error)
      }
    },
    transaction: createTransaction(pool),
  }
}
