import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { follow } from '../../test/support/process.ts'
import { attempt, type ImageConfig, type MadeImage, outputOf } from './image.ts'

type ContainerOptions = {
  /** The folder that is mounted at /data. */
  volume: string
  /** Host paths by where the container sees them, to be read only. */
  files?: Record<string, string>
  env?: Record<string, string>
  /** `UID:GID` in place of the image's. */
  user?: string
}

/** In Docker's form; comes with buildah's package. */
const profilePath = '/usr/share/containers/seccomp.json'
type Rule = { includes: { caps?: string[]; arches?: string[] }; args: unknown[] | null }
type Profile = { defaultAction: string; defaultErrnoRet: number; syscalls: Rule[] }

/** Names of this machine's architecture, as profiles and as the kernel's filter call it. */
const [profileArch, filterArch] =
  process.arch === 'arm64' ? ['arm64', 'SCMP_ARCH_AARCH64'] : ['amd64', 'SCMP_ARCH_X86_64']

/** The usual filter of system calls for a process without any capability, as a runtime reads it. */
const seccompFilter = () => {
  const { defaultAction, defaultErrnoRet, syscalls }: Profile = JSON.parse(readFileSync(profilePath, 'utf8'))
  const isFor = ({ includes: { caps, arches } }: Rule) =>
    !caps?.length && (!arches || arches.includes(profileArch as string))
  const rules = syscalls.filter(isFor).map((rule) => ({ ...rule, args: rule.args ?? [] }))
  return { defaultAction, defaultErrnoRet, architectures: [filterArch], syscalls: rules }
}

const bind = (source: string, destination: string, how: 'ro' | 'rw') => ({
  destination,
  type: 'bind',
  source,
  options: ['bind', how, 'nosuid', 'nodev', 'noexec'],
})

/** What compose.yaml asks Docker for, in the words that Docker's own runtime reads. */
const bundle = (image: ImageConfig, root: string, options: ContainerOptions) => {
  const [uid, gid] = (options.user ?? image.User).split(':').map(Number)
  const env = Object.entries(options.env ?? {}).map(([name, value]) => `${name}=${value}`)
  return {
    ociVersion: '1.0.2',
    process: {
      user: { uid, gid },
      args: image.Entrypoint,
      env: [...image.Env, ...env],
      cwd: image.WorkingDir,
      capabilities: { bounding: [], effective: [], permitted: [], inheritable: [], ambient: [] },
      noNewPrivileges: true,
    },
    root: { path: root, readonly: true },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755', 'size=64k'] },
      bind(options.volume, '/data', 'rw'),
      ...Object.entries(options.files ?? {}).map(([destination, source]) => bind(source, destination, 'ro')),
    ],
    linux: {
      namespaces: ['pid', 'mount', 'network', 'ipc', 'uts'].map((type) => ({ type })),
      seccomp: seccompFilter(),
      maskedPaths: ['/proc/kcore', '/proc/keys', '/proc/timer_list'],
      readonlyPaths: ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus'],
    },
  }
}

/** Containers of one image, run by runc. */
export const createRuntime = ({ folder, config, root }: MadeImage) => {
  const runc = (...args: string[]) => ['runc', '--root', join(folder, 'runc'), ...args]
  const left = new Set<string>()
  let count = 0

  const launch = async (options: ContainerOptions) => {
    // Unlike any other container of the machine: runc names control groups so.
    const id = `shortcrust-test-${process.pid}-${++count}`
    const place = join(folder, id)
    mkdirSync(place)
    await Bun.write(join(place, 'config.json'), JSON.stringify(bundle(config, root, options)))
    const child = Bun.spawn(runc('run', '--bundle', place, id), { stdio: ['ignore', 'pipe', 'pipe'] })
    left.add(id)
    const [stdout, stderr] = [follow(child.stdout), follow(child.stderr)]
    /** The exit code of process 1, once everything it said was read. */
    const exited = Promise.all([child.exited, stdout.ended, stderr.ended]).then(([code]) => {
      left.delete(id)
      return code
    })
    return { id, stdout, stderr, exited }
  }

  return {
    launch,
    /** Starts a container and waits until its server listens. */
    start: async (options: ContainerOptions) => {
      const { id, stdout, stderr, exited } = await launch(options)
      await stdout.waitFor(/listening on (\S+)/).catch(async (error) => {
        await exited
        throw new Error(`${error.message}\n${stderr.text()}`)
      })
      const pid = Number(JSON.parse(await outputOf(...runc('state', id))).pid)
      return {
        stdout,
        stderr,
        exited,
        /** Runs a command inside, as `docker exec` and health checks do. */
        exec: (...command: string[]) => attempt(runc('exec', id, ...command)),
        /** To process 1, which sees it come from outside. */
        signal: (name: string) => outputOf(...runc('kill', id, name)),
        /** Calls the server from within the container's network, which has only its loopback. */
        curl: (...args: string[]) => outputOf('nsenter', '-t', `${pid}`, '-n', 'curl', '-sS', ...args),
        /** `status`, `mountinfo` and the like of process 1, from outside. */
        proc: (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8'),
      }
    },
    /** Ends what a failed test left running. */
    close: async () => {
      for (const id of left) await attempt(runc('delete', '--force', id))
    },
  }
}
export type Runtime = ReturnType<typeof createRuntime>
export type Container = Awaited<ReturnType<Runtime['start']>>
