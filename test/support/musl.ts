import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './process.ts'

const debianLibraries = ['/usr/lib/x86_64-linux-gnu/libstdc++.so.6', '/lib/x86_64-linux-gnu/libgcc_s.so.1']

const build = (outfile: string, source: string) => {
  const command = ['musl-gcc', '-shared', '-fPIC', '-O1', '-o', outfile, '-x', 'c', source]
  const { exitCode, stderr } = Bun.spawnSync(command)
  if (exitCode !== 0) throw new Error(`musl-gcc failed: ${stderr}`)
}

/**
 * Words before an x64 executable made for musl. Its libc is Debian's musl; Debian has no libstdc++ for musl, so it gets
 * the one for glibc and a shim for what that misses.
 */
export const muslPrefix = () => {
  const folder = temporaryFolder()
  for (const path of debianLibraries) copyFileSync(path, join(folder, path.split('/').at(-1) ?? ''))
  const shim = join(folder, 'libshim.so')
  build(shim, join(import.meta.dir, 'musl-shim.c'))
  // libstdc++ names glibc's loader as a library it needs; nothing of it is used.
  build(join(folder, 'ld-linux-x86-64.so.2'), '/dev/null')
  return ['env', `LD_PRELOAD=${shim}`, `LD_LIBRARY_PATH=${folder}`]
}
