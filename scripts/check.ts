// `npm run check`: every step at the same time. Each says how it ended; only one that failed shows what it printed.

/**
 * The compiler of TypeScript 7, which takes a third of the time of 5; the packages that read TypeScript know the API of 5 alone.
 * What it knows of the last run lies beside the packages.
 */
const typeCheck = (project: string, name: string) => [
  ...['node_modules/typescript-7/bin/tsc', '--noEmit', '-p', project],
  ...['--incremental', '--tsBuildInfoFile', `node_modules/.cache/tsc/${name}.tsbuildinfo`],
]

/** JSX is in them alone. */
const views = [...new Bun.Glob('{src,views,scripts,test}/**/*.tsx').scanSync()]

/** The longest first: there may be fewer cores than steps. */
const steps: Record<string, readonly string[]> = {
  types: typeCheck('.', 'program'),
  xss: ['xss-scan', ...views],
  style: ['biome', 'ci', '--colors=off', '.'],
  'types of the pages': typeCheck('views/client', 'pages'),
  'types of what tests run in pages': typeCheck('test/support/seen/in-page', 'in-page'),
}

const PATH = `node_modules/.bin:${process.env.PATH}`

const runStep = async ([name, command]: [string, readonly string[]]) => {
  const began = performance.now()
  const child = Bun.spawn([...command], { env: { ...process.env, PATH }, stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok' : 'FAILED'}  ${name} (${seconds} s)`)
  if (code !== 0) console.log(`${command.join(' ')} ended with ${code}\n${stdout}${stderr}`)
  return code === 0
}

export {}

const outcomes = await Promise.all(Object.entries(steps).map(runStep))
process.exit(outcomes.every(Boolean) ? 0 : 1)
