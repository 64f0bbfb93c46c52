import { describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { description, license, version } from '../../package.json' with { type: 'json' }
import { fillIn } from '../../scripts/release/deploy-files.ts'
import { published, read } from '../support/deploy.ts'
import { cleanEnv, repository, run, target, temporaryFolder } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'

const hasRuby = requireProgram('ruby', 'ruby')
const formula = 'deploy/homebrew/shortcrust.rb'

type Outcome = {
  facts: Record<string, string>
  service: { run: string[]; environment_variables: Record<string, string> } & Record<string, unknown>
  caveats: string
  completions: Record<string, string>
}

/** The formula as Homebrew on a machine reads it, from a folder that may hold the unpacked archive. */
const readFormula = (os: string, arch: string, folder: string): Outcome => {
  const path = join(temporaryFolder(), 'shortcrust.rb')
  writeFileSync(path, fillIn(read(formula), published))
  const stub = join(repository, 'test/fixtures/deploy/formula.rb')
  const { stdout, stderr } = Bun.spawnSync(['ruby', '-W:no-experimental', stub, path, os, arch, folder], {
    cwd: folder,
    env: cleanEnv({ HOME: folder, LANG: 'C.UTF-8' }),
  })
  if (stdout.length === 0) throw new Error(stderr.toString())
  return JSON.parse(stdout.toString())
}

describe.skipIf(!hasRuby)('the formula for Homebrew', () => {
  test('is Ruby without a warning', () => {
    const { stdout, stderr } = Bun.spawnSync(['ruby', '-wc', formula], { cwd: repository })
    expect(`${stderr}${stdout}`).toBe('Syntax OK\n')
  })

  test.each([
    ['macos', 'arm', 'macos-arm64'],
    ['macos', 'intel', 'macos-x64'],
    ['linux', 'arm', 'linux-arm64'],
    ['linux', 'intel', 'linux-x64'],
  ])('takes on %s, %s the archive of %s, with its sum', (os, arch, name) => {
    const archive = `shortcrust-${version}-${name}.tar.gz`
    expect(readFormula(os, arch, temporaryFolder()).facts).toEqual({
      desc: description,
      homepage: published.address,
      version,
      license,
      url: `${published.address}/${archive}`,
      sha256: published.sums.get(archive) ?? '',
    })
  })

  test('installs the program with its completions, and tests it', () => {
    const folder = temporaryFolder()
    const program = join(folder, 'shortcrust')
    writeFileSync(program, `#!/bin/sh\nexec ${target.map((word) => `'${word}'`).join(' ')} "$@"\n`)
    chmodSync(program, 0o755)
    mkdirSync(join(folder, 'test'))
    const { completions } = readFormula('linux', 'intel', folder)
    expect(Object.keys(completions)).toEqual(['bash', 'zsh', 'fish'])
    for (const first of Object.values(completions)) expect(first).toMatch(/\S/)
  })

  test('runs the service with its data below var, and says how to make a key before', async () => {
    const folder = temporaryFolder()
    const { service, caveats } = readFormula('macos', 'arm', folder)
    expect(service.run).toEqual([`${folder}/prefix/bin/shortcrust`])
    expect(service.environment_variables).toEqual({ SHORTCRUST_DATA: `${folder}/var/shortcrust` })
    expect(service.keep_alive).toEqual({ successful_exit: false })
    const [, words = ''] = /^ {2}shortcrust (.*)$/m.exec(caveats) ?? []
    const { code, stdout } = await run(words.split(' '))
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^sc_/)])
  })
})
