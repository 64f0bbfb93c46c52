import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drainSeconds, image, read } from '../support/deploy.ts'
import { temporaryFolder } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'

const hasAnalyze = requireProgram('systemd-analyze', 'systemd')

/**
 * Keys of `[Container]` and `[Volume]`, without those that are deprecated: podman-container.unit(5), podman-volume.unit(5) and
 * pkg/systemd/quadlet/quadlet.go of Podman 5. Debian 12 has Podman 4.3, which has no generator to ask; what the generator
 * passes on untouched is read by systemd itself.
 */
const known: Readonly<Record<string, readonly string[]>> = {
  Container: [
    ...['AddCapability', 'AddDevice', 'AddHost', 'Annotation', 'AutoUpdate', 'CgroupsMode', 'ContainerName'],
    ...['ContainersConfModule', 'DNS', 'DNSOption', 'DNSSearch', 'DropCapability', 'Entrypoint'],
    ...[
      'Environment',
      'EnvironmentFile',
      'EnvironmentHost',
      'Exec',
      'ExposeHostPort',
      'GIDMap',
      'GlobalArgs',
    ],
    ...['Group', 'GroupAdd', 'HealthCmd', 'HealthInterval', 'HealthLogDestination', 'HealthMaxLogCount'],
    ...['HealthMaxLogSize', 'HealthOnFailure', 'HealthRetries', 'HealthStartPeriod', 'HealthStartupCmd'],
    ...['HealthStartupInterval', 'HealthStartupRetries', 'HealthStartupSuccess', 'HealthStartupTimeout'],
    ...['HealthTimeout', 'HostName', 'IP', 'IP6', 'Image', 'Label', 'LogDriver', 'LogOpt', 'Mask', 'Memory'],
    ...['Mount', 'Network', 'NetworkAlias', 'NoNewPrivileges', 'Notify', 'PidsLimit', 'Pod', 'PodmanArgs'],
    ...[
      'PublishPort',
      'Pull',
      'ReadOnly',
      'ReadOnlyTmpfs',
      'ReloadCmd',
      'ReloadSignal',
      'Retry',
      'RetryDelay',
    ],
    ...['Rootfs', 'RunInit', 'SeccompProfile', 'Secret', 'SecurityLabelDisable', 'SecurityLabelFileType'],
    ...['SecurityLabelLevel', 'SecurityLabelNested', 'SecurityLabelType', 'ServiceName', 'ShmSize'],
    ...['StartWithPod', 'StopSignal', 'StopTimeout', 'SubGIDMap', 'SubUIDMap', 'Sysctl', 'Timezone', 'Tmpfs'],
    ...['UIDMap', 'Ulimit', 'Unmask', 'User', 'UserNS', 'Volume', 'WorkingDir'],
  ],
  Volume: [
    ...['ContainersConfModule', 'Copy', 'Device', 'Driver', 'GlobalArgs', 'Group', 'Image', 'Label'],
    ...['Options', 'PodmanArgs', 'ServiceName', 'Type', 'User', 'VolumeName'],
  ],
}

type Line = { section: string; key: string; value: string }

/** The lines of a unit, each with its section. */
const linesOf = (text: string) => {
  const lines: Line[] = []
  let section = ''
  for (const line of text.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    const heading = /^\[(\w+)\]$/.exec(line)
    if (heading) section = heading[1] ?? ''
    else lines.push({ section, key: line.replace(/=.*/, ''), value: line.replace(/^\w+=/, '') })
  }
  return lines
}

const text = read('deploy/podman/shortcrust.container')
const container = linesOf(text)
const volume = linesOf(read('deploy/podman/shortcrust.volume'))
const valuesOf = (key: string) => container.filter((line) => line.key === key).map(({ value }) => value)

describe('the Podman quadlet', () => {
  test('has no key that Podman does not know', () => {
    for (const { section, key } of [...container, ...volume].filter((line) => line.section in known))
      expect(known[section]).toContain(key)
    expect(new Set(container.map(({ section }) => section))).toEqual(
      new Set(['Unit', 'Container', 'Service', 'Install']),
    )
  })

  test.skipIf(!hasAnalyze)('is otherwise a unit that systemd takes without a remark', () => {
    const unit = join(temporaryFolder(), 'shortcrust.service')
    const generated = text
      .replace(/^\[Container\][\s\S]*?(?=^\[)/m, '')
      .replace('[Service]', '[Service]\nType=notify\nExecStart=/bin/true')
    writeFileSync(unit, generated)
    const { stdout, stderr, exitCode } = Bun.spawnSync(['systemd-analyze', '--no-pager', 'verify', unit])
    expect({ exitCode, output: `${stdout}${stderr}` }).toEqual({ exitCode: 0, output: '' })
  })

  test('publishes the port of the image and keeps /data in the volume beside it', () => {
    expect(valuesOf('PublishPort')).toEqual([`${image.port}:${image.port}`])
    expect(valuesOf('Volume')).toEqual([`shortcrust.volume:${image.data}`])
    expect(volume).toEqual([{ section: 'Volume', key: 'VolumeName', value: 'shortcrust' }])
  })

  test('asks the health check of the image, without a shell, which the image has not', () => {
    expect(JSON.parse(valuesOf('HealthCmd')[0] ?? '')).toEqual(image.healthcheck)
    const dockerfile = read('Dockerfile')
    for (const [key, flag] of Object.entries({
      HealthInterval: 'interval',
      HealthTimeout: 'timeout',
      HealthStartPeriod: 'start-period',
      HealthRetries: 'retries',
    }))
      expect(dockerfile).toContain(` --${flag}=${valuesOf(key)[0]} `)
  })

  test('runs without rights as the user of the image, on a root that cannot be written', () => {
    for (const line of ['ReadOnly=true', 'ReadOnlyTmpfs=false', 'DropCapability=all', 'NoNewPrivileges=true'])
      expect(text).toContain(`\n${line}\n`)
    for (const key of ['User', 'Group', 'UserNS', 'AddCapability']) expect(valuesOf(key)).toEqual([])
  })

  test('starts again as the unit for systemd does, and waits longer for the end than the server takes', () => {
    const unit = linesOf(read('deploy/shortcrust.service'))
    for (const key of ['Restart', 'RestartPreventExitStatus', 'StartLimitIntervalSec', 'StartLimitBurst'])
      expect(valuesOf(key)).toEqual(unit.filter((line) => line.key === key).map(({ value }) => value))
    expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThan(drainSeconds)
  })
})
