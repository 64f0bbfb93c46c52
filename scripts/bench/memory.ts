import { readdirSync, readFileSync } from 'node:fs'

const kilobytes = (text: string, name: string) => {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]
  if (found === undefined) throw new Error(`the kernel does not tell ${name}`)
  return Number(found) * 1024
}

/** Resident memory in bytes. */
export const residentBytes = (pid: number) => kilobytes(readFileSync(`/proc/${pid}/status`, 'utf8'), 'VmRSS')

/** Resident memory in bytes, in which what n processes share counts one nth. */
export const proportionalBytes = (pid: number) =>
  kilobytes(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss')

/** Process ids of the children of all threads of a process. */
export const childrenOf = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )

/** Bytes a process has read from files; what comes over sockets is not counted. */
export const readBytes = (pid: number) =>
  Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])

/** Processor time a process has used, in milliseconds. The kernel counts it in hundredths of a second. */
export const processorMilliseconds = (pid: number) => {
  const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(afterName[11]) + Number(afterName[12])) * 10
}

export const megabyte = 1e6
