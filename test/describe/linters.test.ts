import { describe, expect, test } from 'bun:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { describeAt } from '../support/description.ts'

const description = await describeAt()

/** What the recommended rules of Redocly say, warnings as well: `rule where`. */
const askRedocly = async (document: object) => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: '/openapi.json',
    config,
  })
  return problems.map(
    ({ ruleId, location: [at] }) => `${ruleId} ${at?.pointer?.replace('#/paths/', '') ?? ''}`,
  )
}

const askSpectral = async (document: object) => {
  const spectral = new Spectral()
  spectral.setRuleset({ extends: [[rulesets.oas as RulesetDefinition, 'recommended']], rules: {} })
  const problems = await spectral.run(JSON.parse(JSON.stringify(document)))
  return problems.map(({ code, path }) => `${code} ${path.join(' ')}`)
}

describe('the recommended rules hold', () => {
  test('of Redocly, but where a redirect is all that an address answers', async () => {
    const redirects = ['~1s~1{id}/post', '~1{name}/get', '~1share~1{name}/get']
    // Where the program `gist` looks for a text.
    const besides = ['no-ambiguous-paths ~1p~1{id}~1raw']
    expect((await askRedocly(description)).sort()).toEqual(
      [...besides, ...redirects.map((at) => `operation-2xx-response ${at}/responses`)].sort(),
    )
  })

  test('of Spectral, but that nobody knows whom to ask about a server', async () => {
    expect(await askSpectral(description)).toEqual(['info-contact info'])
  })

  test('and would be seen if they did not', async () => {
    const get = { ...description.paths['/healthz']?.get, security: undefined, description: undefined }
    const broken = { ...description, paths: { '/healthz': { get } } }
    expect(await askRedocly(broken)).toContain('security-defined ~1healthz/get')
    expect(await askSpectral(broken)).toContain('operation-description paths /healthz get')
  })
})
