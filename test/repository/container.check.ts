// `npm run test:container`: builds the image of the Dockerfile and runs it as compose.yaml asks; docs/container.md.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { description, license, version } from '../../package.json' with { type: 'json' }
import { type MadeImage, makeImage } from '../../scripts/container/image.ts'
import { type Container, createRuntime, type Runtime } from '../../scripts/container/runtime.ts'
import { examplePaste } from '../support/client.ts'
import {
  create,
  executable,
  filesOf,
  machineOf,
  newVolume,
  rawTextOf,
  secret,
  server,
  withKey,
} from '../support/container.ts'
import { testKey } from '../support/process.ts'
import { isRoot, requireProgram } from '../support/programs.ts'

const programs = ['buildah', 'debootstrap', 'runc', 'curl'].map((program) => requireProgram(program, program))
const isPossible = isRoot && !programs.includes(false)
if (!isRoot) console.warn('skipped: to make a base and to run containers without Docker takes root')

const minutes = 60_000

// Where other work shares the machine, a start takes seconds.
setDefaultTimeout(minutes / 2)

describe.skipIf(!isPossible)('the image', () => {
  let made: MadeImage
  let runtime: Runtime
  beforeAll(async () => {
    made = await makeImage()
    runtime = createRuntime(made)
  }, 10 * minutes)
  afterAll(async () => {
    await runtime?.close()
    await made?.remove()
  }, minutes)

  test('holds the executable, the licence, an empty /data, and else nothing but its base', () => {
    const ours = filesOf(made.root).filter((file) => !filesOf(made.libcAlone).includes(file))
    expect(ours).toEqual([executable, '/usr/share/doc/shortcrust/LICENSE'])
    expect(statSync(join(made.root, 'data'))).toMatchObject({ uid: 10_001, gid: 10_001 })
    console.log(`the executable: ${(statSync(join(made.root, executable)).size / 1e6).toFixed(0)} MB`)
  })

  test('says what it is and how it runs', () => {
    const prefix = 'org.opencontainers.image.'
    expect(made.config).toMatchObject({
      User: '10001:10001',
      Entrypoint: [executable],
      ExposedPorts: { '8080/tcp': {} },
      Volumes: { '/data': {} },
      Healthcheck: { Test: ['CMD', executable, 'healthcheck'] },
      Labels: {
        [`${prefix}title`]: 'Shortcrust',
        [`${prefix}description`]: description,
        [`${prefix}licenses`]: license,
        [`${prefix}version`]: version,
        [`${prefix}revision`]: 'a-revision',
      },
    })
    expect(made.config.Env).toContain('SHORTCRUST_DATA=/data')
  })

  test.each([
    ['amd64', 62],
    ['arm64', 183],
  ])(
    'is compiled for %s wherever it is built',
    async (TARGETARCH, machine) => {
      const tag = `localhost/shortcrust:${TARGETARCH}`
      expect(await made.build(tag, { TARGETARCH })).toMatchObject({ code: 0 })
      expect(machineOf(await made.mount(tag))).toBe(machine)
    },
    minutes,
  )

  test(
    'is refused for other architectures',
    async () => {
      const { code, stdout, stderr } = await made.build('localhost/shortcrust:other', {
        TARGETARCH: 'riscv64',
      })
      expect(code).not.toBe(0)
      expect(stdout + stderr).toContain(
        'no build for the architecture "riscv64": amd64 and arm64 are possible',
      )
    },
    minutes,
  )

  describe('run read-only, without capabilities, with a volume and a key file,', () => {
    const volume = isPossible ? newVolume() : ''
    let container: Container
    let rawUrl: string
    beforeAll(async () => {
      container = await runtime.start({ volume, ...withKey() })
    })

    test('is process 1 of user 10001, has no right of root and cannot gain one', () => {
      const status = container.proc('status')
      expect(status).toMatch(/^NSpid:\t\d+\t1$/m)
      expect(status).toMatch(/^Uid:\t10001\t10001\t/m)
      expect(status).toMatch(/^Gid:\t10001\t10001\t/m)
      expect(status.match(/^Cap\w+:\t0{16}$/gm)).toHaveLength(5)
      expect(status).toMatch(/^NoNewPrivs:\t1$/m)
      expect(status).toMatch(/^Seccomp:\t2$/m)
    })

    test('can write to /data alone', async () => {
      expect(container.proc('mountinfo')).toMatch(/ \/ \/ ro[, ]/)
      const refused = await container.exec(executable, 'backup', '/backup.tgz')
      expect(refused.code).not.toBe(0)
      expect(refused.stderr).toContain('EROFS')
    })

    test('is healthy by its own health check', async () => {
      expect(await container.exec(...made.config.Healthcheck.Test.slice(1))).toEqual({
        code: 0,
        stdout: `ready: ${server}/readyz\n`,
        stderr: '',
      })
    })

    test('is unhealthy while it does not answer', async () => {
      await container.signal('STOP')
      const { code, stderr } = await container.exec(...made.config.Healthcheck.Test.slice(1))
      await container.signal('CONT')
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('within 2 seconds') })
    })

    test('takes the key of the file and no other, and shows none', async () => {
      const created = await create(container)
      expect(created).toMatchObject({ success: true })
      rawUrl = created.rawUrl
      expect(await rawTextOf(rawUrl, container)).toBe(examplePaste.text)
      expect(await create(container, 'another-key-of-enough-letters')).toMatchObject({ success: false })
      expect(container.stdout.text()).not.toContain(testKey)
    })

    test('highlights, in a process of its own', async () => {
      const page = await container.curl('-H', 'Accept: text/html', rawUrl.replace('/p/raw/', '/p/'))
      expect(page).toMatch(/<span class="?t\d/)
    })

    test('has its keys managed from outside while it runs', async () => {
      const { code, stdout } = await container.exec(executable, 'keys', 'add', 'laptop')
      expect(code).toBe(0)
      expect(await create(container, stdout.trim())).toMatchObject({ success: true })
    })

    test('ends with 0 at once on SIGTERM, and a new container has what the volume holds', async () => {
      await container.signal('TERM')
      expect(await container.exited).toBe(0)
      expect(container.stderr.text()).toMatch(/stopping signal=SIGTERM\n.*stopped\n$/)
      const next = await runtime.start({ volume, ...withKey() })
      expect(await rawTextOf(rawUrl, next)).toBe(examplePaste.text)
      await next.signal('TERM')
      expect(await next.exited).toBe(0)
    })
  })

  test('runs under another uid where the volume is that uid’s', async () => {
    const container = await runtime.start({
      volume: newVolume(4242),
      user: '4242:4242',
      ...withKey(4242),
    })
    expect(container.proc('status')).toMatch(/^Uid:\t4242\t4242\t/m)
    expect(await container.exec(executable, 'healthcheck')).toMatchObject({ code: 0 })
    expect(await create(container)).toMatchObject({ success: true })
    await container.signal('TERM')
    expect(await container.exited).toBe(0)
  })

  test('says what to do where the volume is another’s', async () => {
    const { stderr, exited } = await runtime.launch({ volume: newVolume(0) })
    expect(await exited).toBe(1)
    expect(stderr.text()).toBe(
      'shortcrust: cannot write the data folder /data as uid 10001 (EACCES); ' +
        'mount a folder there that it may write; on the host, type: sudo chown -R 10001 FOLDER\n',
    )
  })

  test('says which key file it cannot read', async () => {
    const { stderr, exited } = await runtime.launch({ volume: newVolume(), ...withKey(0) })
    expect(await exited).toBe(2)
    expect(stderr.text()).toContain(`cannot read ${secret} (EACCES)`)
  })
})
