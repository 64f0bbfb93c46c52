import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RunResult } from '../../test/support/process.ts'
import { attempt, outputOf } from './commands.ts'

/** What of an image's configuration a runtime goes by. */
export type ImageConfig = {
  User: string
  Env: string[]
  WorkingDir: string
  Entrypoint: string[]
  ExposedPorts: Record<string, object>
  Volumes: Record<string, object>
  Labels: Record<string, string>
  Healthcheck: { Test: string[] }
}

export type BuildahOptions = { context: string; tag: string; args?: Record<string, string> }

/** Buildah with images of its own in `folder`, which nothing on the machine sees. */
export const createBuildah = (folder: string) => {
  const storage = [
    '--root',
    join(folder, 'images'),
    '--runroot',
    join(folder, 'run'),
    '--storage-driver',
    'overlay',
  ]
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary, { recursive: true })
  const words = (args: readonly string[]) => ['buildah', ...storage, ...args]
  const run = (...args: string[]) => outputOf(words(args), { TMPDIR: temporary })
  return {
    /** Makes an image of a folder; `settings` are words for `buildah config`. */
    makeImage: async (name: string, contents: string, settings: readonly string[]) => {
      const container = await run('from', 'scratch')
      await run('copy', '--quiet', container, contents, '/')
      await run('config', ...settings, container)
      await run('commit', '--quiet', container, name)
      await run('rm', container)
    },
    /** In Docker's format, for OCI's has no health check. */
    build: ({ context, tag, args = {} }: BuildahOptions): Promise<RunResult> => {
      const pairs = Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`])
      const flags = ['--isolation', 'chroot', '--format', 'docker', '--pull-never', '--layers', '--tag', tag]
      return attempt(words(['build', ...flags, ...pairs, context]), { TMPDIR: temporary })
    },
    configOf: async (image: string): Promise<ImageConfig> =>
      JSON.parse(await run('inspect', '--type', 'image', image)).Docker.config,
    /** A folder that holds what a container of this image sees. */
    mount: async (image: string) => run('mount', await run('from', '--pull-never', image)),
  }
}
export type Buildah = ReturnType<typeof createBuildah>
