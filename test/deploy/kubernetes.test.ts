import { describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { StatefulSet } from 'kubernetes-types/apps/v1'
import type { Service } from 'kubernetes-types/core/v1'
import { createClient } from '../support/client.ts'
import { drainSeconds, image, read, readYaml } from '../support/deploy.ts'
import { complaintsOf } from '../support/kubernetes.ts'
import { repository, run, start, temporaryFolder } from '../support/process.ts'
import { isRoot, requireProgram } from '../support/programs.ts'

const folder = 'deploy/kubernetes'
const set = readYaml<StatefulSet>(`${folder}/statefulset.yaml`)
const service = readYaml<Service>(`${folder}/service.yaml`)
const pods = readYaml<Service>(`${folder}/pods.yaml`)
const kustomization = readYaml<{ apiVersion: string; kind: string; resources: string[] }>(
  `${folder}/kustomization.yaml`,
)
const pod = set.spec?.template.spec
const [container] = pod?.containers ?? []
const hasSetpriv = isRoot && requireProgram('setpriv', 'util-linux')

describe('the manifests for Kubernetes', () => {
  test('are objects of its API, with no field that it does not know', () => {
    const right = complaintsOf([
      ['StatefulSet', 'apps/v1', set],
      ['Service', 'core/v1', service],
      ['Service', 'core/v1', pods],
    ])
    expect(right).toBe('')
    const misspelled = JSON.parse(
      JSON.stringify(set).replace('readOnlyRootFilesystem', 'readonlyRootFilesystem'),
    )
    expect(complaintsOf([['StatefulSet', 'apps/v1', misspelled]])).toContain('readonlyRootFilesystem')
  })

  test('are all in the kustomization', () => {
    expect(kustomization).toMatchObject({
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
    })
    const others = readdirSync(join(repository, folder)).filter((name) => name !== 'kustomization.yaml')
    expect(kustomization.resources.sort()).toEqual(others.sort())
  })

  test('run one server, which a second one never joins', () => {
    expect(set.kind).toBe('StatefulSet')
    expect(set.spec?.replicas).toBe(1)
    expect(pod?.containers).toHaveLength(1)
  })

  test('find each other by the same labels and port', () => {
    const labels = set.spec?.template.metadata?.labels
    expect(set.spec?.selector.matchLabels).toEqual(labels)
    const [port] = container?.ports ?? []
    expect(port?.containerPort).toBe(image.port)
    for (const { spec } of [service, pods]) {
      expect(spec?.selector).toEqual(labels)
      expect(spec?.ports).toMatchObject([{ port: image.port, targetPort: port?.name }])
    }
  })

  test('name the pods by a Service without an address, as a StatefulSet asks for, and people ask one with', () => {
    expect([pods.metadata?.name, pods.spec?.clusterIP]).toEqual([set.spec?.serviceName, 'None'])
    expect([service.metadata?.name, service.spec?.clusterIP]).toEqual(['shortcrust', undefined])
  })

  test('run without rights as the user of the image, on a root that cannot be written', () => {
    expect(pod?.securityContext).toEqual({
      runAsNonRoot: true,
      runAsUser: image.uid,
      runAsGroup: image.gid,
      fsGroup: image.gid,
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(pod?.automountServiceAccountToken).toBe(false)
  })

  test('keep the variables of the Service away, which would be read as settings', () => {
    expect(`${service.metadata?.name}_PORT`.toUpperCase()).toBe('SHORTCRUST_PORT')
    expect(pod?.enableServiceLinks).toBe(false)
  })

  test('ask the paths of health, and never restart a server whose disk is full', () => {
    const paths = [container?.startupProbe, container?.readinessProbe, container?.livenessProbe].map(
      (probe) => probe?.httpGet,
    )
    expect(paths).toEqual(['/healthz', '/readyz', '/healthz'].map((path) => ({ path, port: 'http' })))
    const routes = read('src/app.ts')
    for (const probe of paths) expect(routes).toContain(`'GET ${probe?.path}'`)
  })

  test('wait longer for the end than the server takes', () => {
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(drainSeconds)
  })

  test('mount a claim that stays, and the key from a secret', () => {
    const [claim] = set.spec?.volumeClaimTemplates ?? []
    const secret = pod?.volumes?.[0]
    expect(container?.volumeMounts).toEqual([
      { name: String(claim?.metadata?.name), mountPath: image.data },
      { name: String(secret?.name), mountPath: '/run/secrets/shortcrust', readOnly: true },
    ])
    expect(claim?.spec?.accessModes).toEqual(['ReadWriteOnce'])
    expect(set.spec).not.toHaveProperty('persistentVolumeClaimRetentionPolicy')
    expect(secret?.secret).toEqual({ secretName: 'shortcrust', defaultMode: 0o440 })
    expect(container?.env).toEqual([
      { name: 'SHORTCRUST_DATA', value: `${image.data}/shortcrust` },
      { name: 'SHORTCRUST_API_KEY_FILE', value: '/run/secrets/shortcrust/api-key' },
    ])
  })

  // As the kubelet leaves a volume for fsGroup: root's, with the group of the pod, and what ext4 puts there.
  test.skipIf(!hasSetpriv)('work on a volume that belongs to root and to the group alone', async () => {
    const volume = temporaryFolder()
    const data = join(volume, 'shortcrust')
    const own = ['chmod', 'a+x', join(volume, '..')]
    mkdirSync(join(volume, 'lost+found'), { mode: 0o700 })
    for (const command of [own, ['chown', `0:${image.gid}`, volume], ['chmod', '2770', volume]])
      expect(Bun.spawnSync(command).exitCode).toBe(0)
    const prefix = ['setpriv', `--reuid=${image.uid}`, `--regid=${image.gid}`, `--groups=${image.gid}`]
    const server = await start({ data, prefix: [...prefix, '--no-new-privs'] })
    const paste = await createClient(server.url).paste()
    expect(paste.rawUrl).toStartWith(server.url)
    const ready = await fetch(`${server.url}/readyz`)
    expect([ready.status, await server.stop()]).toEqual([200, 0])
    const { code, stdout, stderr } = await run(['verify', '--data', data], {}, [...prefix, '--no-new-privs'])
    expect(code, stdout + stderr).toBe(0)
  })
})
