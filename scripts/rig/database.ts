import { databaseFor, startPostgres } from '../../test/support/postgres.ts'

/** A PostgreSQL of this rig alone, with fsync, in which the servers store that are started for this folder. */
export const openDatabase = async (data: string) => {
  const postgres = await startPostgres({})
  process.env.POSTGRES_FOLDER = postgres.folder
  const schema = new URL(await databaseFor(data)).searchParams.get('options')?.split('=')[1]
  return {
    /** As `pg_ctl restart -m immediate` does. */
    restart: async () => {
      await postgres.stop()
      await postgres.open()
    },
    /** Waits for the statements of a server that was killed: they go on without it. */
    untilIdle: async () => {
      const others = `application_name = 'shortcrust' AND state <> 'idle'`
      while (postgres.psql(`SELECT count(*) FROM pg_stat_activity WHERE ${others}`) !== '0')
        await Bun.sleep(20)
    },
    /** What is stored of any item, also of one that is gone, as the path that its document has in a folder. */
    paths: () => {
      const rows = `SELECT kind, id FROM ${schema}.items WHERE state = 'l' OR text IS NOT NULL OR words IS NOT NULL
        UNION SELECT kind, id FROM ${schema}.versions`
      return postgres
        .psql(`SELECT kind || '/' || left(id, 2) || '/' || id || '.json' FROM (${rows}) there`)
        .split('\n')
    },
  }
}
