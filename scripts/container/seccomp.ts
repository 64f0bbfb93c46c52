import { readFileSync } from 'node:fs'

type Argument = { index: number; value: number; valueTwo: number; op: string }
type Condition = { caps?: string[]; arches?: string[] }
type Rule = {
  names: string[]
  action: string
  errnoRet?: number
  args?: Argument[] | null
  includes: Condition
  excludes: Condition
}
type Profile = { defaultAction: string; defaultErrnoRet: number; syscalls: Rule[] }

/** In Docker's form; comes with buildah's package. */
const profilePath = '/usr/share/containers/seccomp.json'

/** Names of this machine's architecture, as profiles and as the kernel's filter call it. */
const architecture = {
  x64: ['amd64', 'SCMP_ARCH_X86_64'],
  arm64: ['arm64', 'SCMP_ARCH_AARCH64'],
}[process.arch as 'x64' | 'arm64']

/** The usual filter of system calls for a process without any capability, as a runtime reads it. */
export const seccompFilter = () => {
  const profile: Profile = JSON.parse(readFileSync(profilePath, 'utf8'))
  const isFor = ({ includes }: Rule) =>
    !includes.caps?.length && (!includes.arches || includes.arches.includes(architecture[0] as string))
  return {
    defaultAction: profile.defaultAction,
    defaultErrnoRet: profile.defaultErrnoRet,
    architectures: [architecture[1]],
    syscalls: profile.syscalls
      .filter(isFor)
      .map(({ names, action, errnoRet, args }) => ({ names, action, errnoRet, args: args ?? [] })),
  }
}
