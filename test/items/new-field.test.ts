import { describe, expect, test } from 'bun:test'
import { cpSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { browser } from '../support/expectations.ts'
import { cleanEnv, endOf, repository, temporaryFolder, testKey } from '../support/process.ts'
import { quiet, withServer } from '../support/server.ts'

// That of the tests holds each answer to a description that has no such field.
const { fetch } = Bun

type Kind = {
  /** The file with its table, and how the table begins there. */
  file: string
  opening: string
  /** A new field, and its row. */
  field: string
  row: string
  plural: 'pastes' | 'links'
  path: '/paste' | '/shortener'
  body: Record<string, string>
  command: readonly string[]
}

const rowOf = (description: string, shown: string, upload: string) => `{
  schema: Type.String({ description: '${description}' }),
  isOptional: true,
  isContent: true,
  shown: ${shown},
  form: { label: 'New', as: 'line', isOption: true },
  upload: ${upload},
  flag: { value: 'NAME', doc: 'who wrote it' },
},`

const pastes: Kind = {
  file: 'src/items/paste.ts',
  opening: '\n    text: {',
  field: 'writtenBy',
  row: rowOf(
    'Who wrote it',
    "['created', 'public', 'list', 'record']",
    "{ doc: 'Who wrote it', example: 'Ada' }",
  ),
  plural: 'pastes',
  path: '/paste',
  body: { text: 'x', title: '', description: '', language: 'text' },
  command: ['paste', join(import.meta.dir, '../fixtures/shlink.csv')],
}
const links: Kind = {
  file: 'src/items/link.ts',
  opening: '\n    url: {',
  field: 'madeFor',
  row: rowOf('Whom it is for', "['created', 'list', 'record']", 'false'),
  plural: 'links',
  path: '/shortener',
  body: { url: 'http://nas/' },
  command: ['shorten', 'http://nas/'],
}

/** The program, with a row more in each table. */
const copyProgram = async (kinds: readonly Kind[]) => {
  const folder = temporaryFolder()
  for (const name of ['src', 'views', 'package.json', 'tsconfig.json'])
    cpSync(join(repository, name), join(folder, name), { recursive: true })
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
  for (const { file, opening, field, row } of kinds) {
    const source = await Bun.file(join(folder, file)).text()
    expect(source.split(opening)).toHaveLength(2)
    await Bun.write(join(folder, file), source.replace(opening, `\n    ${field}: ${row}${opening}`))
  }
  return folder
}

const folder = await copyProgram([pastes, links])
const program = [process.execPath, join(folder, 'src/main.ts')]
const { server } = withServer({ program, args: quiet })

const run = async (...args: string[]) => {
  const env = cleanEnv({ SHORTCRUST_SERVER: server.url, SHORTCRUST_KEY: testKey, HOME: folder })
  return (
    await endOf(
      Bun.spawn([...program, ...args], { env, stdin: Buffer.from(''), stdout: 'pipe', stderr: 'pipe' }),
    )
  ).stdout
}

type Answer = Record<string, unknown>
const get = async (path: string) =>
  (await (
    await fetch(server.url + path, { headers: { key: testKey, accept: 'application/json' } })
  ).json()) as Answer

const post = async ({ path, body }: Kind, fields: object) => {
  const headers = { key: testKey, 'Content-Type': 'application/json' }
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...body, ...fields }),
  })
  return (await response.json()) as Answer
}

const listed = async ({ plural }: Kind) => (await get(`/${plural}`))[plural] as Answer[]
const newest = async (kind: Kind) => (await listed(kind))[0] ?? {}

const documentsIn = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name))

const sendForm = (fields: Record<string, string>) =>
  fetch(server.url, {
    method: 'POST',
    headers: browser,
    body: new URLSearchParams({ key: testKey, ...fields }),
  })

/** True where a schema or a list of parameters has the field. */
const isDescribedIn = (description: Answer, value: unknown, field: string): boolean => {
  if (typeof value !== 'object' || value === null) return false
  const { $ref, properties, name } = value as { $ref?: string; properties?: object; name?: unknown }
  if (properties && Object.hasOwn(properties, field)) return true
  if (name === field) return true
  const referred = $ref
    ?.split('/')
    .slice(1)
    .reduce((at: unknown, key) => (at as Answer)[key], description)
  return [referred, ...Object.values(value)].some((one) => isDescribedIn(description, one, field))
}

type Operation = { parameters?: unknown; requestBody?: { content: Answer }; responses: Answer }

/** Where the description of the API must name the field. */
const described = async ({ field, path, plural }: Kind) => {
  const description = await get('/openapi.json')
  const paths = description.paths as Record<string, Record<string, Operation>>
  const has = (value: unknown) => isDescribedIn(description, value, field)
  const operation = (method: string, at: string) => paths[at]?.[method]
  return {
    'described: body': has(operation('post', path)?.requestBody),
    'described: answer of creation': has(operation('post', path)?.responses[201]),
    'described: list': has(operation('get', `/${plural}`)?.responses),
    'described: record': has(operation('get', `/${plural}/{id}`)?.responses),
    'described: form': has(operation('post', '/')?.requestBody?.content['application/x-www-form-urlencoded']),
    ...(plural === 'pastes' && {
      'described: public JSON': has(operation('get', '/p/{id}')?.responses),
      'described: query of an upload': has(operation('put', '/{name}')?.parameters),
      'described: form of an upload': has(operation('put', '/')?.requestBody?.content['multipart/form-data']),
    }),
  }
}

/** Where a new item has the field, however it was created. */
const created = async (kind: Kind) => {
  const { field, plural, path } = kind
  const answer = await post(kind, { [field]: 'Ada' })
  const item = await newest(kind)
  const record = (await get(`/${plural}/${item.id}`))[plural.slice(0, -1)] as Answer
  const documents = await Promise.all(
    documentsIn(join(server.data, plural)).map((document) => Bun.file(document).text()),
  )
  const wrong = await post(kind, { [field]: 1 })
  return {
    'JSON creation': answer.success === true && item[field] === 'Ada',
    'JSON creation: its check': wrong.error === `Field "${field}" must be a string.`,
    'answer of creation': answer[field] === 'Ada',
    list: item[field] === 'Ada',
    record: record[field] === 'Ada',
    'stored document': documents.some((text) => text.includes(`"${field}":"Ada"`)),
    ...(path === '/paste' && { 'public JSON': (await get(`/p/${item.id}`))[field] === 'Ada' }),
  }
}

const uploaded = async ({ field }: Kind) => {
  const put = (query: string, body: string | FormData) =>
    fetch(`${server.url}/${query}`, { method: 'PUT', headers: { key: testKey }, body })
  await put(`?${field}=Query`, 'x')
  const byQuery = await newest(pastes)
  const form = new FormData()
  form.append(field, 'Multipart')
  form.append('file', new File(['x'], 'a.txt'))
  await put('', form)
  return {
    'upload by query': byQuery[field] === 'Query',
    'upload by multipart': (await newest(pastes))[field] === 'Multipart',
  }
}

const inForm = async (kind: Kind) => {
  const { field, body, plural } = kind
  const create = plural === 'pastes' ? 'paste' : 'link'
  const page = await (await fetch(server.url, { headers: browser })).text()
  const [, own = ''] = page.split(`id="${create}-form"`)
  const refused = await (await sendForm({ create, [field]: 'Typed' })).text()
  await sendForm({ ...body, create, [field]: 'Form' })
  const item = await newest(kind)
  const copy = await (await fetch(`${server.url}/?from=${item.id}`)).text()
  return {
    form: new RegExp(`<input[^>]* name="${field}"`).test(own.split(/id="(?:paste|link)-form"/)[0] ?? ''),
    'form: creation': item[field] === 'Form',
    'form: what was typed': refused.includes('value="Typed"'),
    ...(plural === 'pastes' && { 'edit as new': copy.includes('value="Form"') }),
  }
}

const onCommandLine = async (kind: Kind) => {
  const { field, command, plural } = kind
  const flag = `--${field.replace('B', '-b').replace('F', '-f')}`
  const json = await run(...command, flag, 'Flag', '--json')
  const item = await newest(kind)
  const help = await run(command[0] ?? '', '--help')
  const exported = await run('export')
  const file = join(folder, `${plural}.jsonl`)
  await Bun.write(file, exported.replaceAll('"Flag"', '"Imported"'))
  await run('import', file, '--write')
  return {
    flag: json.includes('"success":true') && item[field] === 'Flag',
    help: help.includes(`${flag} NAME`) && help.includes('who wrote it'),
    export: exported.includes(`"${field}":"Flag"`),
    // It is as old as what it was exported from.
    import: (await listed(kind)).some((one) => one[field] === 'Imported'),
  }
}

const missing = (found: Record<string, boolean>) =>
  Object.keys(found).filter((place) => found[place] === false)

describe.each([pastes, links])('a row more in $file', (kind) => {
  test('is a field of every answer, document and creation', async () => {
    expect(missing(await created(kind))).toEqual([])
  })

  test('is a control of the form', async () => {
    expect(missing(await inForm(kind))).toEqual([])
  })

  test('is a flag, and comes through export and import', async () => {
    expect(missing(await onCommandLine(kind))).toEqual([])
  })

  test('is in the schema of documents', async () => {
    const { StoredPaste } = (await import(join(folder, 'src/items/paste.ts'))) as { StoredPaste: Answer }
    const { StoredLink } = (await import(join(folder, 'src/items/link.ts'))) as { StoredLink: Answer }
    const { properties } = kind === pastes ? StoredPaste : StoredLink
    expect(Object.keys(properties as object)).toContain(kind.field)
  })

  test('is described', async () => {
    expect(missing(await described(kind))).toEqual([])
  })
})

test('a row more of a paste is a field of uploads', async () => {
  expect(missing(await uploaded(pastes))).toEqual([])
})
