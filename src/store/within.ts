import { realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { nearestTo } from './folder/data-folder.ts'

const upwards = (path: string): string[] =>
  path === dirname(path) ? [path] : [path, ...upwards(dirname(path))]

/**
 * True if a path is a folder or lies in it, also by way of a symbolic link, another mount or other letter case. Neither needs
 * to exist. @throws the error of a system call
 */
export const isWithin = (folder: string, path: string) => {
  const goal = statSync(folder, { bigint: true, throwIfNoEntry: false })
  return upwards(realpathSync(nearestTo(resolve(path)))).some((above) => {
    const { dev, ino } = statSync(above, { bigint: true })
    return goal?.dev === dev && goal.ino === ino
  })
}
