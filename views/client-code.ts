/**
 * Bundles a script or style sheet for browsers. Called as a macro, when the program is transpiled or compiled, so the
 * executable contains the result.
 */
export const clientCode = (entry: string): string => {
  const path = new URL(`./client/${entry}`, import.meta.url).pathname
  const { stdout, stderr, exitCode } = Bun.spawnSync([
    process.execPath,
    'build',
    '--minify',
    '--target=browser',
    path,
  ])
  if (exitCode !== 0) throw new Error(String(stderr))
  return String(stdout)
}
