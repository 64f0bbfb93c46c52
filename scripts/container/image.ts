import { repository } from '../../test/support/process.ts'
import { bases, makeBases } from './bases.ts'
import { createBuildah } from './buildah.ts'
import { memoryFolder } from './fixtures.ts'
import { createRuntime } from './runtime.ts'

/** Builds the image of the Dockerfile on bases made here, and prints how long both took. */
export const makeImage = async () => {
  const folder = await memoryFolder()
  try {
    const buildah = createBuildah(folder.path)
    const build = (tag: string, args: Record<string, string> = {}) =>
      buildah.build({
        context: repository,
        tag,
        args: { BUILD_BASE: bases.build, RUNTIME_BASE: bases.runtime, REVISION: 'a-revision', ...args },
      })

    console.time('made the bases')
    const { libcAlone } = await makeBases(buildah, folder.path)
    console.timeEnd('made the bases')

    console.time('built the image')
    const image = 'localhost/shortcrust'
    const { code, stdout, stderr } = await build(image)
    if (code !== 0) throw new Error(`the build failed:\n${stdout}\n${stderr}`)
    console.timeEnd('built the image')

    const config = await buildah.configOf(image)
    const root = await buildah.mount(image)
    const runtime = createRuntime(folder.path, config, root)
    return {
      build,
      config,
      /** What a container sees. */
      root,
      /** All that the base of `root` holds. */
      libcAlone,
      runtime,
      mount: buildah.mount,
      close: async () => {
        await runtime.close()
        await folder.remove()
      },
    }
  } catch (error) {
    await folder.remove()
    throw error
  }
}
export type MadeImage = Awaited<ReturnType<typeof makeImage>>
