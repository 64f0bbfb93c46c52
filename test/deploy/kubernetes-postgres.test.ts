import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv'
import { YAML } from 'bun'
import type { Deployment } from 'kubernetes-types/apps/v1'
import type { Service } from 'kubernetes-types/core/v1'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1'
import { parseStore } from '../../src/settings/values.ts'
import clusterSchema from '../fixtures/deploy/cloudnative-pg-cluster.json' with { type: 'json' }
import { drainSeconds, image, read, readYaml, variables } from '../support/deploy.ts'
import { complaintsOf } from '../support/kubernetes.ts'
import { repository, temporaryFolder } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'

type Cluster = {
  metadata: { name: string }
  spec: {
    instances: number
    imageName: string
    bootstrap: { initdb: { database: string; owner: string } }
    postgresql: { synchronous: Record<string, unknown> & { number: number } }
    affinity: Record<string, string>
  }
}

const folder = 'deploy/postgres/kubernetes'
const deployment = readYaml<Deployment>(`${folder}/deployment.yaml`)
const service = readYaml<Service>(`${folder}/service.yaml`)
const budget = readYaml<PodDisruptionBudget>(`${folder}/disruption-budget.yaml`)
const cluster = readYaml<Cluster>(`${folder}/cluster.yaml`)
const kustomization = readYaml<{ namespace: string; resources: string[] }>(`${folder}/kustomization.yaml`)
const pod = deployment.spec?.template.spec
const [container] = pod?.containers ?? []
const name = String(cluster.metadata.name)

describe('the manifests for replicas on CloudNativePG', () => {
  test('are objects of the API of Kubernetes, with no field that it does not know', () => {
    const right = complaintsOf([
      ['Deployment', 'apps/v1', deployment],
      ['Service', 'core/v1', service],
      ['PodDisruptionBudget', 'policy/v1', budget],
    ])
    expect(right).toBe('')
  })

  test('describe a cluster with no field that CloudNativePG does not know', () => {
    const validate = new Ajv({ strict: false, allErrors: true }).compile(clusterSchema)
    expect(validate(cluster), JSON.stringify(validate.errors)).toBe(true)
    const misspelled = JSON.parse(JSON.stringify(cluster).replace('failoverQuorum', 'failoverQuorom'))
    expect(validate(misspelled)).toBe(false)
  })

  test('are all in the kustomization, in a namespace that deploy/kubernetes does not share', () => {
    const others = readdirSync(join(repository, folder)).filter((file) => file !== 'kustomization.yaml')
    expect(kustomization.resources.sort()).toEqual(others.sort())
    expect(kustomization.namespace).not.toBe(
      readYaml<{ namespace: string }>('deploy/kubernetes/kustomization.yaml').namespace,
    )
  })

  // `kubectl kustomize` reads what `kubectl apply --kustomize` sends, and asks no cluster.
  test.skipIf(!requireProgram('kubectl', 'kubernetes-client'))('are ones that kubectl takes', () => {
    const env = { ...process.env, HOME: temporaryFolder() }
    const { stdout, stderr } = Bun.spawnSync(['kubectl', 'kustomize', folder], { cwd: repository, env })
    expect(stderr.toString()).toBe('')
    const made = YAML.parse(stdout.toString()) as { kind: string; metadata: { namespace: string } }[]
    expect(made.map(({ kind }) => kind).sort()).toEqual([
      'Cluster',
      'Deployment',
      'PodDisruptionBudget',
      'Service',
    ])
    for (const { metadata } of made) expect(metadata.namespace).toBe(kustomization.namespace)
  })

  test('run two servers without any data, on different nodes where there are several', () => {
    expect(deployment.spec?.replicas).toBe(2)
    expect(deployment.spec?.strategy?.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 })
    expect(pod?.volumes?.map(({ name: _, ...source }) => Object.keys(source))).toEqual([['projected']])
    expect(pod?.topologySpreadConstraints).toMatchObject([
      { topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' },
    ])
    expect(budget.spec?.maxUnavailable).toBe(1)
  })

  test('find each other by the same labels and port', () => {
    const labels = deployment.spec?.template.metadata?.labels
    for (const selector of [
      deployment.spec?.selector,
      budget.spec?.selector,
      pod?.topologySpreadConstraints?.[0]?.labelSelector,
    ])
      expect(selector?.matchLabels).toEqual(labels)
    expect(service.spec?.selector).toEqual(labels)
    const [port] = container?.ports ?? []
    expect(port?.containerPort).toBe(image.port)
    expect(service.spec?.ports).toMatchObject([{ port: image.port, targetPort: port?.name }])
  })

  test('run without rights as the user of the image, on a root that cannot be written', () => {
    expect(pod?.securityContext).toEqual({
      runAsNonRoot: true,
      runAsUser: image.uid,
      runAsGroup: image.gid,
      fsGroup: image.gid,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect([pod?.automountServiceAccountToken, pod?.enableServiceLinks]).toEqual([false, false])
  })

  test('ask the paths of health, and never restart a server whose database is away', () => {
    const { startupProbe, readinessProbe, livenessProbe } = container ?? {}
    const paths = [startupProbe, readinessProbe, livenessProbe].map((probe) => probe?.httpGet)
    expect(paths).toEqual(['/healthz', '/readyz', '/healthz'].map((path) => ({ path, port: 'http' })))
    const routes = read('src/app.ts')
    for (const probe of paths) expect(routes).toContain(`'GET ${probe?.path}'`)
  })

  test('send nothing to a server that stops, and wait longer for its end than it takes', () => {
    const seconds = container?.lifecycle?.preStop?.sleep?.seconds ?? 0
    expect(seconds).toBeGreaterThan(0)
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(seconds + drainSeconds)
  })

  test('take the address and the authority that CloudNativePG makes, and check who answers', () => {
    const [uri, store, key] = container?.env ?? []
    expect(uri?.valueFrom?.secretKeyRef).toEqual({ name: `${name}-app`, key: 'uri' })
    const made = `postgresql://shortcrust:secret@${name}-rw.${kustomization.namespace}:5432/shortcrust`
    const address = String(store?.value).replace(`$(${uri?.name})`, made)
    const { searchParams } = new URL(String(parseStore(address)))
    const [mount] = container?.volumeMounts ?? []
    expect(Object.fromEntries(searchParams)).toEqual({
      sslmode: 'verify-full',
      sslrootcert: `${mount?.mountPath}/ca.crt`,
    })
    expect(variables).toEqual(expect.arrayContaining([store?.name, key?.name]))
    const sources = pod?.volumes?.[0]?.projected?.sources?.map(({ secret }) => secret)
    expect(sources).toEqual([
      { name: 'shortcrust', items: [{ key: 'api-key', path: 'api-key' }] },
      { name: `${name}-ca`, items: [{ key: 'ca.crt', path: 'ca.crt' }] },
    ])
  })

  test('give every server the same first key, so that none makes one', () => {
    const key = container?.env?.find(({ name }) => name.startsWith('SHORTCRUST_API_KEY'))
    expect(key).toEqual({ name: 'SHORTCRUST_API_KEY_FILE', value: '/run/secrets/shortcrust/api-key' })
    expect(read(`${folder}/kustomization.yaml`)).toContain('create secret generic shortcrust ')
  })

  test('lose nothing acknowledged with any one node', () => {
    const { instances, postgresql, affinity, bootstrap } = cluster.spec
    expect(postgresql.synchronous).toEqual({
      method: 'any',
      number: 1,
      dataDurability: 'required',
      failoverQuorum: true,
    })
    // Without the primary or a standby, there is still another standby to wait for.
    expect(instances).toBeGreaterThanOrEqual(postgresql.synchronous.number + 2)
    expect(affinity).toEqual({ podAntiAffinityType: 'required', topologyKey: 'kubernetes.io/hostname' })
    expect(bootstrap.initdb).toEqual({ database: 'shortcrust', owner: 'shortcrust' })
  })

  test('pin the image of the database by its tag', () => {
    expect(cluster.spec.imageName).toMatch(/^ghcr\.io\/cloudnative-pg\/postgresql:\d+\.\d+-standard-trixie$/)
  })
})
