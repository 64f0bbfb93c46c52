import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRoot } from '../../test/support/programs.ts'
import { readTrace, type Trace, tracedCalls } from './trace.ts'

/** Where recordings and states lie: in memory, for they are many and need no disk. */
const base = existsSync('/dev/shm') ? '/dev/shm' : '/tmp'

/** The file that Linux says the boot of the machine in. */
const bootFile = '/proc/sys/kernel/random/boot_id'

/** As after a power cut, the programs that open a state are of another boot than the one that was recorded. */
const otherBoot = (folder: string) => [
  'unshare',
  ...(isRoot ? [] : ['--map-root-user']),
  '--mount',
  'sh',
  '-c',
  `mount --bind ${join(folder, 'boot')} ${bootFile} && exec "$@"`,
  'sh',
]

export type Recording = { seed: number; folder: string; disk: string; trace: Trace }

const layout = (seed: number, above = base) => {
  const folder = join(above, `shortcrust-powercut-${seed}`)
  return { folder, disk: join(folder, 'disk'), trace: join(folder, 'trace'), ledger: join(folder, 'ledger') }
}

/** A recording that a former run kept. @throws where there is none */
export const readRecording = (seed: number, above?: string): Recording => {
  const { folder, disk, trace, ledger } = layout(seed, above)
  return { seed, folder, disk, trace: readTrace(readFileSync(trace, 'latin1'), disk, ledger) }
}

/**
 * Runs the load of a seed under strace.
 * @param above the folder that the recording is put in
 * @throws what the load says when it fails
 */
export const record = async (seed: number, steps: number, above?: string): Promise<Recording> => {
  const { folder, disk, trace, ledger } = layout(seed, above)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(disk, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, 'boot'), `${crypto.randomUUID()}\n`)
  const strace = ['strace', '-f', '-y', '--seccomp-bpf', '-s', '100000000', '-e', 'signal=none']
  const load = [process.execPath, join(import.meta.dir, 'load.ts')]
  const child = Bun.spawn(
    [
      ...otherBoot(folder),
      ...strace,
      ...['-e', `trace=${tracedCalls}`, '-o', trace],
      ...[...load, String(seed), join(disk, 'data'), ledger, String(steps)],
    ],
    { stdin: 'ignore', stdout: 'inherit', stderr: 'pipe' },
  )
  const problem = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`the load of seed ${seed} failed: ${problem}`)
  return readRecording(seed, above)
}

export const discard = ({ folder }: Recording) => rmSync(folder, { recursive: true, force: true })
