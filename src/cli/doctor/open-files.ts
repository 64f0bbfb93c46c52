import type { Terminal } from '../terminal.ts'
import { doubtful, type Finding, good } from './finding.ts'

/** One connection is one open file; 300 readers who follow a paste and a hundred uploads fit. */
const least = 1024

/** The limit of open files, on Linux. The runtime raises the soft limit to the hard one. */
export const lookAtOpenFiles = ({ readFile }: Terminal): Finding[] => {
  const about = 'open files'
  let limits: string
  try {
    limits = readFile('/proc/self/limits')
  } catch {
    return []
  }
  const [, hard = ''] = /^Max open files\s+\S+\s+(\S+)/m.exec(limits) ?? []
  if (hard === 'unlimited' || Number(hard) >= least) return [good(about, `up to ${hard}`)]
  const advice = `raise it to ${least}: ulimit -n, LimitNOFILE= of systemd, or ulimits of compose`
  return [doubtful(about, `only ${hard}, so connections may be refused`, advice)]
}
