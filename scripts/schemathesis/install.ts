import { join } from 'node:path'

/** Pinned: a newer one may find more, and should do so in a commit of its own. */
const packages = ['schemathesis==4.32.5', 'openapi-python-client==0.29.1']

/** What is missing, and how to get it. */
export type Missing = { missing: string }

const run = (command: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { stdin: 'ignore' })
  return exitCode === 0 ? undefined : `${stdout}${stderr}`.trim().split('\n').slice(-3).join(' ')
}

/** Installs both into a virtual environment of their own. @returns the folder of their programs */
export const installPython = (folder: string): { bin: string } | Missing => {
  const python = Bun.which('python3')
  if (!python) return { missing: 'python3 is missing; install it with: apt-get install python3-venv' }
  const noVenv = run([python, '-m', 'venv', folder])
  if (noVenv) return { missing: `no virtual environment; try: apt-get install python3-venv (${noVenv})` }
  const bin = join(folder, 'bin')
  const pip = [join(bin, 'pip'), 'install', '--quiet', '--disable-pip-version-check', ...packages]
  const noPackage = run(pip)
  return noPackage ? { missing: `${packages.join(', ')} could not be installed: ${noPackage}` } : { bin }
}
