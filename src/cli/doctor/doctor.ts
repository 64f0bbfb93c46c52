import { parseAddress } from '../../settings/values.ts'
import { wrongUsage } from '../client/failures.ts'
import { plural } from '../lines.ts'
import type { Command, Terminal } from '../terminal.ts'
import type { Finding } from './finding.ts'
import { lookAtFolder } from './folder.ts'
import { lookAtOpenFiles } from './open-files.ts'
import { lookAtPorts } from './ports.ts'
import { lookAtProxy } from './proxy.ts'

const words = { good: 'good', doubtful: 'look', bad: 'bad' } as const

const print = async ({ about, state, says, advice }: Finding, terminal: Terminal) => {
  const indent = ' '.repeat(6)
  await terminal.print(`${words[state].padEnd(6)}${about}: ${says}`)
  if (advice !== undefined) await terminal.print(`${indent}→ ${advice}`)
}

const addressAsked = (raw: string | undefined) => {
  try {
    return raw === undefined ? undefined : parseAddress(raw)
  } catch (error) {
    throw wrongUsage(`--url: expected ${(error as Error).message}, not "${raw}"`)
  }
}

/** Looks at what a server with these settings needs, and says what to do. @returns 1 if something is bad */
export const doctor: Command = async (_, config, terminal, { url }) => {
  const address = addressAsked(url) ?? config.publicUrl
  const { findings: ports, isServing } = await lookAtPorts(config)
  const findings = [
    ...ports,
    ...(await lookAtFolder(config, terminal, isServing)),
    ...lookAtOpenFiles(terminal),
    ...(address === undefined ? [] : await lookAtProxy(address, config)),
  ]
  for (const finding of findings) await print(finding, terminal)
  const problems = findings.filter(({ state }) => state === 'bad').length
  if (problems > 0) await terminal.print(`${plural(problems, 'problem')} found`)
  await terminal.written()
  return problems === 0 ? 0 : 1
}
