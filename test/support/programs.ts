/**
 * Whether a program from the distribution is there. Where it is missing, the tests that need it are skipped with
 * a line that says what to install; with `CI=true` that is a failure.
 */
export const requireProgram = (program: string, debianPackage: string) => {
  if (Bun.which(program)) return true
  const hint = `${program} is missing; install it with: apt-get install ${debianPackage}`
  if (process.env.CI === 'true') throw new Error(hint)
  console.warn(`skipped: ${hint}`)
  return false
}

/** Mounting a small disk takes root. */
export const isRoot = process.getuid?.() === 0
