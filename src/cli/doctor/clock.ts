import { statSync } from 'node:fs'
import { join } from 'node:path'
import { secondsText } from '../../items/durations.ts'
import { ownCommitTime } from '../server/commit.ts' with { type: 'macro' }
import { bad, type Finding, good } from './finding.ts'

/** Sources without a repository do not know their date, but none is older than the first commit. */
const firstCommitAt = Date.UTC(2026, 10, 21)

const builtAt = Math.max(firstCommitAt, ownCommitTime())

/** File systems of other machines have clocks of their own. */
const toleratedMs = 60_000

/** Who commits may have a clock that is ahead. */
const toleratedOfBuildMs = 86_400_000

/** Files that a server wrote last; their times tell what the clock must not be behind. */
const writtenAt = (folder: string) =>
  ['shortcrust.json', 'keys.json', 'index.sqlite', 'counts.sqlite', 'words.sqlite']
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
    .reduce((last, time) => Math.max(last, time), 0)

/** Whether the clock is behind the last write to the folder, or behind this program: some boards start in 1970. */
export const lookAtClock = (folder: string, now: number): Finding => {
  const about = 'clock'
  const shown = secondsText(now)
  const advice = 'set the time, for example by NTP: expiries and rates need it'
  const last = writtenAt(folder)
  if (last > now + toleratedMs)
    return bad(about, `${shown}, before the last write to the folder, ${secondsText(last)}`, advice)
  if (builtAt > now + toleratedOfBuildMs)
    return bad(about, `${shown}, before this program was written, ${secondsText(builtAt)}`, advice)
  return good(about, shown)
}
