import { describe, expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type AppParts, createApp } from '../src/app.ts'
import { describeApi } from '../src/openapi/document.ts'
import type { Content } from '../src/openapi/types.ts'
import { createAddresses } from '../src/urls.ts'

const describeAt = (publicUrl: string, baseUrl: string) =>
  JSON.parse(JSON.stringify(describeApi(createAddresses(publicUrl, baseUrl, baseUrl), '1.2.3')))
const description = describeAt('http://nas', 'http://nas') as ReturnType<typeof describeApi>

const operations = Object.entries(description.paths).flatMap(([path, item]) =>
  (['get', 'post', 'put', 'delete'] as const).flatMap((method) => {
    const operation = item[method]
    return operation ? [{ name: `${method.toUpperCase()} ${path}`, operation }] : []
  }),
)

describe('the description of the API', () => {
  test('is valid by the official schema of OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(description))
    expect(errors).toBeUndefined()
    expect([valid, validator.version]).toEqual([true, '3.1'])
  })

  test('is judged by a validator that finds faults', async () => {
    const { info: _, ...headless } = structuredClone(description)
    expect((await new Validator().validate(headless)).valid).toBe(false)
  })

  test('has an entry for each route of the app, and no other', () => {
    const { routes } = createApp({ cacheBytes: 1 } as AppParts)
    const named = routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    expect(named.length).toBeGreaterThan(15)
    // One route of the app: what follows the id decides.
    expect(operations.map(({ name }) => name).sort()).toEqual([...named, 'GET /s/{id}+'].sort())
  })

  test('gives each operation a name of its own, a tag that exists, and every error its example', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const tags = description.tags.map(({ name }) => name)
    for (const { name, operation } of operations) {
      expect(tags, name).toContain(operation.tags[0])
      for (const [status, { content }] of Object.entries(operation.responses))
        if (Number(status) >= 400)
          expect(content?.['application/json']?.example, `${name} ${status}`).toEqual({
            success: false,
            error: expect.stringMatching(/\w/),
          })
    }
  })

  test('has examples that fit their schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateSchema: false })
    addFormats.default(ajv)
    ajv.addSchema(description, 'api')
    const fits = (where: string, content: Content = {}) => {
      for (const { schema, example } of Object.values(content)) {
        const validate = ajv.compile(schema.$ref ? { $ref: `api${schema.$ref}` } : schema)
        if (example !== undefined)
          expect(validate(example), `${where}: ${ajv.errorsText(validate.errors)}`).toBe(true)
      }
    }
    for (const { name, operation } of operations) {
      fits(name, operation.requestBody?.content)
      for (const { content } of Object.values(operation.responses)) fits(name, content)
    }
  })

  test('names the servers of the API, and that of the pages where it is another', () => {
    expect(description.servers).toEqual([{ url: 'http://nas' }])
    expect(description.paths['/p/{id}']?.servers).toBeUndefined()
    const apart = describeAt('https://pages.example', 'https://api.example/shortcrust')
    expect(apart.servers).toEqual([{ url: 'https://api.example/shortcrust' }])
    expect(apart.paths['/p/{id}'].servers).toEqual([{ url: 'https://pages.example' }])
    expect(apart.paths['/paste'].servers).toBeUndefined()
  })

  test('asks for the API key where the app does', () => {
    const guarded = operations.filter(({ operation }) => operation.security)
    expect(guarded.map(({ name }) => name)).toEqual(['POST /paste', 'POST /shortener'])
    expect(description.components.securitySchemes.apiKey).toMatchObject({ in: 'header', name: 'key' })
  })
})
