import { join } from 'node:path'

/** Pinned: a newer one may find more, and should do so in a commit of its own. */
const version = '4.32.5'

/** What is missing, and how to get it. */
export type Missing = { missing: string }

const run = (command: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { stdin: 'ignore' })
  return exitCode === 0 ? undefined : `${stdout}${stderr}`.trim().split('\n').slice(-3).join(' ')
}

/** Installs Schemathesis into a virtual environment of its own. @returns the path of its program */
export const installSchemathesis = (folder: string): { program: string } | Missing => {
  const python = Bun.which('python3')
  if (!python) return { missing: 'python3 is missing; install it with: apt-get install python3-venv' }
  const noVenv = run([python, '-m', 'venv', folder])
  if (noVenv) return { missing: `no virtual environment; try: apt-get install python3-venv (${noVenv})` }
  const pip = [join(folder, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check']
  const noPackage = run([...pip, `schemathesis==${version}`])
  if (noPackage) return { missing: `schemathesis ${version} could not be installed: ${noPackage}` }
  return { program: join(folder, 'bin/schemathesis') }
}
