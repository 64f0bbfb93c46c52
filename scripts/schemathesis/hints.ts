import type { Description, Operation, Schema } from '../../src/describe/types.ts'

/** What a generator of requests cannot guess, and would never get beyond 401 and 404 without. */
export type Known = { apiKey: string; pasteId: string; linkId: string; asset: string }

const text: Schema = { type: 'string' }

/** These values often, any other that fits as well. */
const often = (schema: Schema, ...values: readonly string[]): Schema => ({
  anyOf: [{ enum: values }, schema],
})

/** A part of what a creation answers; `#regex:` is understood by Schemathesis alone. */
const key = '$response.body#/deletionUrl#regex:key=(.+)$'
const named = '$response.body#/key'
const id = (letter: string) => `$response.header.Location#regex:/${letter}/(.+)$`

/** Which operations follow a creation, and with which parameters. */
const next: Record<string, Record<string, Record<string, string>>> = {
  '/paste': {
    readPaste: { id: id('p') },
    readRawPaste: { id: id('p') },
    readDocument: { id: id('p') },
    readRawDocument: { id: id('p') },
    findByName: { name: id('p') },
    findShared: { name: id('p') },
    deletePaste: { key },
    postPasteDeletion: { key },
    showPasteDeletion: { key },
  },
  '/documents': {
    readPaste: { id: named },
    readDocument: { id: named },
  },
  '/shortener': {
    followLink: { id: id('s') },
    previewLink: { id: id('s') },
    deleteLink: { key },
    postLinkDeletion: { key },
    showLinkDeletion: { key },
  },
}

const accept = {
  name: 'Accept',
  in: 'header',
  required: false,
  schema: often(text, 'text/html', 'application/json', 'text/plain'),
}

/** The description with hints for the generator. What an answer must be stays as it is described. */
export const withHints = (description: Description, known: Known): object => {
  const hinted = structuredClone(description)
  const values: Record<string, readonly string[]> = {
    url: ['http://nas/', 'https://example.org/ä?b#c'],
    key: [known.apiKey],
    language: ['python', 'C++', ' Text\n', '.rs', 'ansi'],
  }
  const hint = ({ properties = {} }: Schema) => {
    for (const [name, schema] of Object.entries(properties))
      if (values[name]) Object.assign(properties, { [name]: often(schema, ...values[name]) })
  }

  const hintParameters = (path: string, operation: Operation) => {
    const idOf = path.includes('/s/') ? known.linkId : known.pasteId
    const nameOf = path.startsWith('/assets/') ? known.asset : known.pasteId
    const parameters = (operation.parameters ?? []).map((parameter) => {
      if (parameter.name === 'id') return { ...parameter, schema: often(parameter.schema, idOf) }
      // So long a query is 431 of the runtime, without a body; in a form the length is tested.
      if (parameter.name === 'description') return { ...parameter, schema: text }
      return parameter.name === 'name' ? { ...parameter, schema: often(parameter.schema, nameOf) } : parameter
    })
    Object.assign(operation, { parameters: [...parameters, accept] })
  }

  for (const [path, { servers: _, ...item }] of Object.entries(hinted.paths))
    for (const operation of Object.values(item)) {
      hintParameters(path, operation)
      for (const { schema } of Object.values(operation.requestBody?.content ?? {}))
        hint(schema.$ref ? (hinted.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema)
    }
  for (const [path, operations] of Object.entries(next)) {
    const links = Object.entries(operations).map(([operationId, parameters]) => [
      operationId,
      { operationId, parameters },
    ])
    const { 200: ok, 201: created } = hinted.paths[path]?.post?.responses ?? {}
    Object.assign(created ?? ok ?? {}, { links: Object.fromEntries(links) })
  }
  return hinted
}
