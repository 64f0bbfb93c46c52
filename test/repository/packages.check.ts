// `npm run test:packages`: installs, upgrades and removes the packages on a Debian of its own, under systemd.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../package.json' with { type: 'json' }
import { outputOf } from '../../scripts/container/image.ts'
import { git } from '../support/git.ts'
import { type Machine, makeMachine } from '../support/machine.ts'
import { repository, temporaryFolder } from '../support/process.ts'
import { isRoot, requireProgram } from '../support/programs.ts'
import { blocksOf } from '../support/shown-commands.ts'

const programs = ['debootstrap', 'rpm', 'curl'].map((program) => requireProgram(program, program))
const isPossible = isRoot && !programs.includes(false)
if (!isRoot) console.warn('skipped: to make a Debian and to start systemd in it takes root')

const minutes = 60_000
setDefaultTimeout(2 * minutes)

const former = '0.9.0'
const [data, settings] = ['/var/lib/shortcrust', '/etc/shortcrust.env']
const [architecture, target] = process.arch === 'arm64' ? ['arm64', 'linux-arm64'] : ['amd64', 'linux-x64']
const debOf = (of: string) => `shortcrust_${of}_${architecture}.deb`
const rpmOf = (of: string) => `shortcrust-${of}-1.${architecture === 'arm64' ? 'aarch64' : 'x86_64'}.rpm`

/** Makes the packages of this processor from a repository. @returns their folder */
const makeIn = async (folder: string) => {
  const out = join(temporaryFolder(), 'release')
  const command = ['scripts/release/main.ts', '--out', out, '--target', target]
  await outputOf('env', '--chdir', folder, process.execPath, ...command)
  return out
}

/** The same program as a version before, which had other settings in its file. */
const makeFormer = async () => {
  const clone = join(temporaryFolder(), 'former')
  git(repository, 'clone', '--quiet', '.', clone)
  const rewrite = (path: string, change: (text: string) => string) =>
    writeFileSync(join(clone, path), change(readFileSync(join(clone, path), 'utf8')))
  rewrite('package.json', (text) => text.replace(`"version": "${version}"`, `"version": "${former}"`))
  rewrite('deploy/packages/shortcrust.env', (text) => `${text}#SHORTCRUST_LOG=text\n`)
  const identity = ['-c', 'user.name=A tester', '-c', 'user.email=tester@example.org']
  git(clone, ...identity, 'commit', '--quiet', '--all', '--message', 'The version before')
  await outputOf('env', '--chdir', clone, process.execPath, 'install', '--frozen-lockfile')
  return makeIn(clone)
}

/** The commands of a document that call a program of the distribution or ours, each a line. */
const commandsOf = (document: string) => {
  const blocks = blocksOf(readFileSync(join(repository, document), 'utf8'), 'sh')
  return blocks.flatMap((block) => block.trim().split('\n'))
}
const documented = new Set(['docs/install.md', 'docs/upgrade.md'].flatMap(commandsOf))
/** A line of the documents, as it stands there. @throws where there is none */
const line = (words: string) => {
  const found = [...documented].find((command) => command.startsWith(words))
  if (!found) throw new Error(`no document shows: ${words}`)
  return found
}

describe.skipIf(!isPossible)('a machine with systemd', () => {
  let made: Awaited<ReturnType<typeof makeMachine>>
  let machine: Machine
  let folders: { present: string; former: string }
  let key = ''
  let paste = ''

  beforeAll(async () => {
    const packages = (async () => ({ present: await makeIn(repository), former: await makeFormer() }))()
    packages.catch(() => {})
    made = await makeMachine()
    folders = await packages
    machine = await made.boot()
    for (const [folder, of] of [
      [folders.present, version],
      [folders.former, former],
    ] as const)
      copyFileSync(join(folder, debOf(of)), join(machine.root, 'srv', debOf(of)))
  }, 10 * minutes)
  afterAll(async () => {
    await machine?.halt()
    await made?.remove()
  }, minutes)

  /** What a command prints in the machine. @throws with it when it does not end with 0 */
  const run = async (command: string) => {
    const { code, output } = await machine.sh(command)
    if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}`)
    return output.trim()
  }
  const state = async () =>
    (await machine.sh('systemctl is-active shortcrust; systemctl is-enabled shortcrust')).output.split('\n')
  const has = (path: string) => existsSync(join(machine.root, path))
  const textOf = (path: string) => readFileSync(join(machine.root, path), 'utf8')
  /** A service counts as started before its server listens. */
  const curl = async (path: string, ...args: string[]) => {
    const patient = ['--retry', '30', '--retry-delay', '1', '--retry-connrefused']
    const flags = ['-sS', '--fail-with-body', ...patient, ...args]
    const { code, stdout, stderr } = await machine.fromOutside(
      'curl',
      ...flags,
      `http://127.0.0.1:8080${path}`,
    )
    expect(code, stdout + stderr).toBe(0)
    return stdout
  }
  const runningVersion = () => run('"/proc/$(systemctl show -P MainPID shortcrust)/exe" --version')
  const firstKey = async () => {
    const journal = await run(line('sudo journalctl -u shortcrust'))
    expect(journal).toContain('open http://127.0.0.1:8080 in a browser')
    const keys = journal.matchAll(/API key "default", shown only this once: (\S+)/g)
    return [...keys].at(-1)?.[1] ?? ''
  }
  const create = async () => {
    const body = JSON.stringify({
      text: 'const a = 1\n',
      title: 'A title',
      description: '',
      language: 'typescript',
    })
    const headers = ['-H', `key: ${key}`, '-H', 'Content-Type: application/json']
    const { rawUrl } = JSON.parse(await curl('/paste', ...headers, '-d', body))
    return new URL(rawUrl).pathname
  }
  const expectPaste = async () => expect(await curl(paste)).toBe('const a = 1\n')

  describe('with the .deb', () => {
    const install = line('sudo apt install').replace('amd64', architecture)

    test('runs it as soon as it is installed, and says where the first API key is', async () => {
      const output = await run(install.replace(version, former))
      expect(output.split('\n').slice(-2)).toEqual([
        'Shortcrust has started. Its address and first API key: sudo journalctl -u shortcrust -o cat',
        'Only this machine can reach it. For others, set SHORTCRUST_HOST in /etc/shortcrust.env.',
      ])
      expect(await state()).toEqual(['active', 'enabled', ''])
      await curl('/readyz')
      key = await firstKey()
      expect(await runningVersion()).toStartWith(`shortcrust ${former} `)
    })

    test('runs it as a user of its own, under the whole unit, and it stores and highlights', async () => {
      expect(await run('stat -c %U "/proc/$(systemctl show -P MainPID shortcrust)"')).toBe('shortcrust')
      expect(await run(`stat -c '%U %a' ${data} && stat -c '%U %a' ${settings}`)).toBe(
        'shortcrust 700\nroot 640',
      )
      paste = await create()
      await expectPaste()
      expect(await curl(paste.replace('/raw', ''), '-H', 'Accept: text/html')).toMatch(/<span class="?t\d/)
    })

    test('opens it to the network by the lines of the documents', async () => {
      const isOpen = async () => / 00000000:1F90 /.test(await run('cat /proc/net/tcp'))
      expect(await isOpen()).toBe(false)
      await run(line('sudo sed'))
      await run(line('sudo systemctl restart'))
      await expectPaste()
      expect(await isOpen()).toBe(true)
    })

    test('is upgraded to the next version: the same data, and the settings that were changed', async () => {
      await run(line('sudo -u shortcrust shortcrust backup'))
      expect(await run('tar -tzf before.tgz')).toContain('keys.json')
      const output = await run(install)
      expect(output).not.toContain('API key')
      await expectPaste()
      expect(await runningVersion()).toStartWith(`shortcrust ${version} `)
      expect(textOf(settings)).toContain('\nSHORTCRUST_HOST=0.0.0.0\n')
      expect(textOf(settings)).toContain('\n#SHORTCRUST_LOG=text\n')
      expect(has(`${settings}.dpkg-dist`)).toBe(true)
      key = (await run(line('sudo -u shortcrust shortcrust keys add'))).split('\n').at(-1) ?? ''
      await create()
    })

    test('starts it whenever the machine starts', async () => {
      await machine.halt()
      machine = await made.boot()
      expect(await state()).toEqual(['active', 'enabled', ''])
      await expectPaste()
    })

    test('keeps it off where an administrator disabled it', async () => {
      await run('systemctl disable --now shortcrust')
      await run(install.replace('install', 'reinstall'))
      expect(await state()).toEqual(['inactive', 'disabled', ''])
      await run('systemctl enable --now shortcrust')
    })

    test('loses no data when it is removed, and goes on when it is installed again', async () => {
      await run(line('sudo apt remove'))
      expect((await state())[0]).toBe('inactive')
      expect(await run('ls /proc/*/exe | xargs -n 1 readlink | grep -c shortcrust || true')).toBe('0')
      expect([has('usr/bin/shortcrust'), has(settings), has(`${data}/keys.json`)]).toEqual([
        false,
        true,
        true,
      ])
      expect(await run(install)).not.toContain('API key')
      await expectPaste()
    })

    test('leaves nothing but the user when it is purged', async () => {
      await run(line('sudo apt purge'))
      const names = "-iname '*shortcrust*' -not -path '/srv/*'"
      expect(await run(`find / -xdev ${names}`)).toBe('')
      expect(await run('getent passwd shortcrust')).toEndWith(`:${data}:/usr/sbin/nologin`)
    })

    test('is installed where systemd does not run, and purged', async () => {
      const hidden = (command: string) => run(`unshare --mount sh -c 'mount -t tmpfs tmpfs /run; ${command}'`)
      expect(await hidden(install)).toEndWith('but not started: systemd does not run here.')
      expect(await run(`stat -c '%U %a' ${data}`)).toBe('shortcrust 700')
      await hidden(line('sudo apt purge'))
      expect(has(data)).toBe(false)
    })
  })

  // The machine is a Debian: its own rpm knows of no other package.
  describe('with the .rpm', () => {
    const rpm = async (...words: string[]) => {
      const { code, stdout, stderr } = await machine.fromOutside(
        'rpm',
        '--root',
        machine.root,
        '--dbpath',
        '/var/lib/rpm',
        ...words,
      )
      expect(code, stdout + stderr).toBe(0)
      return stdout + stderr
    }

    test('says how to start it, and it starts', async () => {
      await run('userdel shortcrust')
      const output = await rpm('--install', '--nodeps', join(folders.former, rpmOf(former)))
      expect(output).toContain(line('sudo systemctl enable --now'))
      expect(output).toContain(line('sudo journalctl'))
      expect(await state()).toEqual(['inactive', 'disabled', ''])
      await run(line('sudo systemctl enable --now'))
      await curl('/readyz')
      key = await firstKey()
      paste = await create()
      expect(await rpm('--verify', '--nodeps', 'shortcrust')).toBe('')
    })

    test('is upgraded to the next version: the same data, and the settings that were changed', async () => {
      await run(line('sudo sed'))
      await rpm('--upgrade', '--nodeps', join(folders.present, rpmOf(version)))
      await expectPaste()
      expect(await runningVersion()).toStartWith(`shortcrust ${version} `)
      expect(textOf(settings)).toContain('\nSHORTCRUST_HOST=0.0.0.0\n')
      expect(has(`${settings}.rpmnew`)).toBe(true)
      expect(await state()).toEqual(['active', 'enabled', ''])
    })

    test('loses no data when it is removed', async () => {
      await rpm('--erase', 'shortcrust')
      expect((await state())[0]).toBe('inactive')
      expect([has('usr/bin/shortcrust'), has(`${settings}.rpmsave`), has(`${data}/keys.json`)]).toEqual([
        false,
        true,
        true,
      ])
    })
  })
})
