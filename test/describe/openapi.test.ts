import { describe, expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describeApi } from '../../src/describe/describe.ts'
import { isGuarded } from '../../src/describe/outline.ts'
import type { Content } from '../../src/describe/types.ts'
import { createAddresses } from '../../src/http/origin.ts'
import * as compatible from '../../src/routes/compatible/detail.ts'
import { itemDetails } from '../../src/routes/items/detail.ts'
import { linkDetails } from '../../src/routes/links/detail.ts'
import { diffDetails, pasteDetails } from '../../src/routes/pastes/detail.ts'
import { ownerDetails, siteDetails } from '../../src/routes/site/detail.ts'
import { appRoutes, describeAt } from '../support/description.ts'

const description = await describeAt()

const operations = Object.entries(description.paths).flatMap(([path, item]) =>
  (['get', 'post', 'put', 'patch', 'delete', 'options'] as const).flatMap((method) => {
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
    const routes = appRoutes()
    const templateOf = ({ path }: (typeof routes)[number]) => path.replace(/:(\w+)/g, '{$1}')
    const named = routes.map((route) => `${route.method} ${templateOf(route)}`)
    expect(named.length).toBeGreaterThan(15)
    // Answered by the list of routes.
    const shared = routes.filter(({ isShared }) => isShared)
    const preflights = new Set(shared.map((route) => `OPTIONS ${templateOf(route)}`))
    // One route of the app: what follows the id decides.
    const others = [...preflights, 'GET /s/{id}+']
    expect(operations.map(({ name }) => name).sort()).toEqual([...named, ...others].sort())
  })

  test('says nothing that no route has, and throws for a route of which nothing is said', () => {
    const details = {
      ...{ ...pasteDetails, ...diffDetails, ...linkDetails, ...itemDetails },
      ...{ ...ownerDetails, ...siteDetails },
      ...Object.assign({}, ...Object.values(compatible)),
    }
    const named = operations.filter(({ name }) => !name.startsWith('OPTIONS'))
    expect(named.map(({ operation }) => operation.operationId).sort()).toEqual(Object.keys(details).sort())
    const addresses = createAddresses('http://nas', 'http://nas', 'http://nas')
    const unknown = { method: 'GET', path: '/new/:id', operationId: 'readNew' }
    expect(() => describeApi([unknown], details, addresses, '1')).toThrow('nothing describes GET /new/{id}')
  })

  test('describes each address once: no two templates that fit it are equally exact', () => {
    const fill = (path: string) => path.replace(/\{\w+\}/g, 'a1b2c3d4e5')
    const shape = (path: string) =>
      new RegExp(`^${path.replace(/[.+]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`)
    const paths = Object.keys(description.paths)
    for (const path of paths) {
      // OpenAPI 3.1, Path Templating Matching: what is concrete comes before what is templated.
      const letters = (template: string) => template.replace(/\{\w+\}/g, '').length
      const fitting = paths.filter((other) => shape(other).test(fill(path)))
      const most = Math.max(...fitting.map(letters))
      expect(fitting.filter((other) => letters(other) === most)).toEqual([path])
    }
  })

  test('gives each operation a name of its own, a tag that exists, and every error its example', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const tags = description.tags.map(({ name }) => name)
    for (const { name, operation } of operations) {
      expect(tags, name).toContain(operation.tags[0])
      for (const [status, { content }] of Object.entries(operation.responses))
        if (Number(status) >= 400) {
          // Protocols of other programs say errors in their own words.
          const { 'application/json': ours, ...others } = content ?? {}
          const example = ours?.example ?? Object.values(others).find((media) => media.example)?.example
          const word = expect.stringMatching(/\w/)
          const said = ours?.schema.$ref ? { success: false, error: word } : expect.anything()
          expect(example, `${name} ${status}`).toEqual(ours?.example ? said : expect.anything())
        }
    }
  })

  test('has examples that fit their schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateSchema: false })
    addFormats.default(ajv)
    ajv.addSchema(description, 'api')
    const fits = (where: string, content: Content = {}) => {
      for (const { schema, example } of Object.values(content)) {
        // A schema that stands in the document by itself names others by their place in it.
        const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')))
        if (example !== undefined)
          expect(validate(example), `${where}: ${ajv.errorsText(validate.errors)}`).toBe(true)
      }
    }
    for (const { name, operation } of operations) {
      fits(name, operation.requestBody?.content)
      for (const { content } of Object.values(operation.responses)) fits(name, content)
    }
  })

  test('names the servers of the API, and that of the pages where it is another', async () => {
    expect(description.servers).toEqual([{ url: 'http://nas' }])
    expect(description.paths['/p/{id}']?.servers).toBeUndefined()
    const apart = await describeAt('https://pages.example', 'https://api.example/shortcrust')
    expect(apart.servers).toEqual([{ url: 'https://api.example/shortcrust' }])
    expect(apart.paths['/p/{id}']?.servers).toEqual([{ url: 'https://pages.example' }])
    expect(apart.paths['/paste']?.servers).toBeUndefined()
  })

  test('asks for the API key where the app does', () => {
    const guarded = operations.filter(({ operation }) => isGuarded(operation)).map(({ name }) => name)
    expect(guarded.sort()).toEqual([
      'DELETE /1/log/{id}',
      'DELETE /links/{id}',
      'DELETE /links/{id}/versions',
      'DELETE /pastes/{id}',
      'DELETE /pastes/{id}/versions',
      'DELETE /rest/{version}/short-urls/{name}',
      'DELETE /{name}',
      'GET /key',
      'GET /key/links',
      'GET /key/pastes',
      'GET /links',
      'GET /links/{id}',
      'GET /links/{id}/versions',
      'GET /links/{id}/versions/{version}',
      'GET /links/{id}/versions/{version}/{other}',
      'GET /list',
      'GET /pastes',
      'GET /pastes/{id}',
      'GET /pastes/{id}/versions',
      'GET /pastes/{id}/versions/{version}',
      'GET /pastes/{id}/versions/{version}/{other}',
      'GET /rest/{version}/short-urls',
      'GET /rest/{version}/short-urls/{name}',
      'GET /rest/{version}/tags',
      'GET /stats',
      'GET /yourls-api.php',
      'PATCH /links/{id}',
      'PATCH /pastes/{id}',
      'PATCH /rest/{version}/short-urls/{name}',
      'POST /1/log',
      'POST /api/v2/links',
      'POST /api/v3/gists',
      'POST /documents',
      'POST /links/{id}/versions/{version}',
      'POST /paste',
      'POST /pastes/{id}/versions/{version}',
      'POST /rest/{version}/short-urls',
      'POST /shortener',
      'POST /yourls-api.php',
      'PUT /',
      'PUT /list',
      'PUT /version',
      'PUT /{name}',
    ])
    // With the key it is an upload, without a form.
    expect(description.paths['/']?.post?.security).toEqual([{}, { apiKey: [] }, { bearer: [] }])
    expect(description.components.securitySchemes.apiKey).toMatchObject({ in: 'header', name: 'key' })
  })
})
