/** A process of its own, as a server has them: `bun access-worker.ts TASK URL JSON`. It works once standard input says so. */
import { createKeyRing } from '../../src/services/keys.ts'
import { openKeys, openLimiter } from '../../src/store/postgres/access.ts'
import { openDb } from '../../src/store/postgres/db.ts'
import { openCounts } from '../../src/store/postgres/storage.ts'

const [task = '', url = '', given = '{}'] = process.argv.slice(2)
const args = JSON.parse(given)
const db = await openDb({ url })
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

const tasks: Readonly<Record<string, (word: string) => Promise<object>>> = {
  /** Asks as often as it may; half of the time, exactly when a token is said to come back. */
  take: async () => {
    const { take } = openLimiter(db, performance.now)
    const { bucket, attempts, lanes, periodMs, pauseMs } = args
    let [done, accepted] = [0, 0]
    const lane = async () => {
      while (done++ < attempts) {
        const { isAccepted, retryAfterMs } = await take(bucket, { capacity: 3, periodMs })
        if (isAccepted) accepted++
        await Bun.sleep(Math.random() < 0.5 ? Math.min(retryAfterMs, pauseMs) : Math.random() * pauseMs)
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    return { accepted }
  },
  /** Whether a key is valid. */
  key: async (key) => ({ holder: (await ring.authenticate(key)) ?? null }),
  /** Adds batches until it is killed or has written enough, as the service does: again, if one failed. */
  count: async () => {
    const counts = openCounts(db)
    for (let batch = 1; batch <= args.batches; batch++) {
      const changes = args.ids.map((id: string) => ({ kind: 'paste', id, by: 1 }))
      say({ begun: batch })
      while (
        !(await counts.write(changes, new Map([['ann', batch]])).then(
          () => true,
          () => false,
        ))
      )
        await Bun.sleep(20)
      say({ written: batch })
    }
    return {}
  },
}
const ring = createKeyRing({
  ...{ store: openKeys(db), apiKey: undefined, now: Date.now },
  onDamage: (error) => say({ damaged: error.message }),
  onUse: () => {},
})

say({ ready: true })
// Bun says the end as an empty line.
for await (const word of console) if (word !== '') say(await (tasks[task] as (typeof tasks)[string])(word))
await db.close()
