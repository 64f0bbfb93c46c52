import { existsSync, readdirSync, readFileSync } from 'node:fs'

const kilobytes = (text: string, name: string) => {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]
  if (found === undefined) throw new Error(`the kernel does not tell ${name}`)
  return Number(found) * 1024
}

/** Resident memory in bytes. */
export const residentBytes = (pid: number) => kilobytes(readFileSync(`/proc/${pid}/status`, 'utf8'), 'VmRSS')

/** The most that was resident since the process began, or since 5 was written to its `clear_refs`. */
export const peakResidentBytes = (pid: number) =>
  kilobytes(readFileSync(`/proc/${pid}/status`, 'utf8'), 'VmHWM')

/** Resident memory in bytes, in which what n processes share counts one nth. */
export const proportionalBytes = (pid: number) =>
  kilobytes(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss')

/** What a process alone wrote, in bytes: the kernel cannot drop it, as it can parts of a file that were read. */
export const privateBytes = (pid: number) =>
  kilobytes(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Private_Dirty')

/** Process ids of the children of all threads of a process. */
export const childrenOf = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )

/** Looks again if a child or a thread ended between two steps of a look. @throws {Error} once the process itself is gone */
const untilUndisturbed = <T>(pid: number, look: () => T): T => {
  for (;;)
    try {
      return look()
    } catch (error) {
      if (!existsSync(`/proc/${pid}`)) throw error
    }
}

/** The same, or by another measure, of a process and of all that it started. */
export const treeBytes = (pid: number, bytesOf = proportionalBytes): number =>
  untilUndisturbed(pid, () =>
    childrenOf(pid).reduce((sum, child) => sum + treeBytes(child, bytesOf), bytesOf(pid)),
  )

/** Bytes a process has read from files; what comes over sockets is not counted. */
export const readBytes = (pid: number) =>
  Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])

/** Fields of `/proc/<pid>/stat` after the name; the kernel counts time in hundredths of a second. */
const time = { own: [11, 12], endedChildren: [13, 14] }

const milliseconds = (pid: number, fields: readonly number[]) => {
  const values = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return fields.reduce((sum, field) => sum + Number(values[field]) * 10, 0)
}

/** Processor time that a process has used itself, in milliseconds. */
export const ownMilliseconds = (pid: number) => milliseconds(pid, time.own)

/** Processor time that the children of a process have used, those that were ended included, in milliseconds. */
export const childMilliseconds = (pid: number) =>
  untilUndisturbed(pid, () =>
    childrenOf(pid).reduce(
      (sum, child) => sum + milliseconds(child, time.own),
      milliseconds(pid, time.endedChildren),
    ),
  )

export const megabyte = 1e6

/** What a process that rests no longer needs is given back: most of it within 5 s, the rest within 15. */
const restMs = 15_000

/** Until then, a look at its memory tells how long ago its garbage was collected. */
export const rest = async ({ isSmoke }: { isSmoke: boolean }) => {
  if (!isSmoke) await Bun.sleep(restMs)
}
