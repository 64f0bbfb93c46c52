import { existsSync, watch } from 'node:fs'
import { dirname } from 'node:path'

/** Resolves once a file is not there any more. */
export const isGone = (file: string) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = () => {
    if (!existsSync(file)) resolve()
  }
  const watcher = watch(dirname(file), look)
  look()
  return promise.finally(() => watcher.close())
}
