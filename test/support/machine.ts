import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attempt, debianSource, outputOf } from '../../scripts/container/image.ts'
import { repository, temporaryFolder } from './process.ts'

/** Where a service of the machine writes as soon as systemd starts services. */
const pipe = 'booted'
const bootUnit = `[Service]
Type=oneshot
ExecStart=/bin/sh -c 'echo > /booted'
[Install]
WantedBy=multi-user.target
`

/** Nobody answers apt's questions: what a person gets with the Enter key. */
const aptSettings = 'APT::Get::Assume-Yes "true";\nDpkg::Options { "--force-confdef"; };\n'

const mountedAt = (type: string) =>
  new RegExp(`^\\S+ (\\S+) ${type} `, 'm').exec(readFileSync('/proc/mounts', 'utf8'))?.[1]

/** Starts systemd in a folder, in namespaces and a control group of its own. */
const boot = async (root: string) => {
  const group = join(mountedAt('cgroup2') ?? '/sys/fs/cgroup', `shortcrust-test-${process.pid}`)
  const enter = 'mkdir "$0"; echo $$ > "$0/cgroup.procs"; exec "$@"'
  const namespaces = ['--mount', '--pid', '--net', '--uts', '--ipc', '--cgroup']
  const start = ['unshare', ...namespaces, '--fork', '--kill-child']
  const script = join(repository, 'test/support/machine.sh')
  const booted = Bun.spawn(['cat', join(root, pipe)])
  const child = Bun.spawn(['sh', '-c', enter, group, ...start, 'sh', script, root], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  child.exited.then(() => booted.kill())
  if ((await booted.exited) !== 0) throw new Error(`systemd did not start: ${await child.stderr.text()}`)
  const pid = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'))
  const inside = ['nsenter', '--target', String(pid)]
  /** Runs a command as root in /srv of the machine. @returns all it printed, on both outputs */
  const sh = async (command: string) => {
    const own = ['env', '-i', 'HOME=/root', 'PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin']
    const script = `cd /srv; exec 2>&1; ${command}`
    const { code, stdout } = await attempt([...inside, '--all', ...own, 'sh', '-c', script])
    // apt gives dpkg a terminal, whose lines end so.
    return { code, output: stdout.replaceAll('\r\n', '\n') }
  }
  await sh('systemctl is-system-running --wait')
  return {
    sh,
    /** Runs a program of this machine among the processes and on the network of the other. */
    fromOutside: (...command: string[]) => attempt([...inside, '--pid', '--net', ...command]),
    /** Where its files are, seen from this machine, with what is mounted there. */
    root: `/proc/${pid}/root`,
    halt: async () => {
      await sh('systemctl exit')
      await child.exited
      await outputOf('find', group, '-depth', '-type', 'd', '-delete')
    },
  }
}
export type Machine = Awaited<ReturnType<typeof boot>>

/**
 * Makes a small Debian in memory, from the packages of this machine's distribution, in which systemd can start. This
 * machine keeps nothing of it, and it has no network but its own loopback.
 */
export const makeMachine = async () => {
  const root = temporaryFolder()
  await outputOf('mount', '-t', 'tmpfs', '-o', 'size=3g,mode=755', 'tmpfs', root)
  try {
    const [codename, address] = await debianSource()
    const more = '--include=systemd,systemd-sysv,sudo'
    await outputOf('debootstrap', '--variant=minbase', more, codename, root, address)
    await outputOf('mkfifo', join(root, pipe))
    writeFileSync(join(root, 'etc/systemd/system/booted.service'), bootUnit)
    writeFileSync(join(root, 'etc/apt/apt.conf.d/answers'), aptSettings)
    await outputOf('chroot', root, 'systemctl', 'enable', 'booted.service')
    writeFileSync(join(root, 'etc/hostname'), 'machine\n')
    writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost machine\n')
    // There is no terminal to log in at.
    await outputOf('chroot', root, 'systemctl', 'mask', 'console-getty.service')
  } catch (error) {
    await outputOf('umount', root)
    throw error
  }
  return { boot: () => boot(root), remove: () => outputOf('umount', root) }
}
