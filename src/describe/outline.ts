import { commandsOf, isGuarded } from './commands.ts'
import type { Answer, Description, Operation, Schema } from './types.ts'

export type Field = { name: string; type: string; isRequired: boolean; description: string }

export type OutlinedAnswer = {
  status: string
  description: string
  types: readonly string[]
  headers: readonly string[]
  /** Text of the body as JSON, where there is an example. */
  example: string | undefined
}

export type OutlinedOperation = {
  id: string
  method: string
  path: string
  summary: string
  description: string
  needsKey: boolean
  parameters: readonly Field[]
  fields: readonly Field[]
  commands: readonly string[]
  answers: readonly OutlinedAnswer[]
  refusals: readonly OutlinedAnswer[]
}

export type Section = { name: string; description: string; operations: readonly OutlinedOperation[] }

/** `OPTIONS` is asked by browsers, not by readers; the introduction speaks of it. */
const methods = ['get', 'post', 'put', 'delete'] as const

const resolve = ({ components }: Description, schema: Schema = {}): Schema =>
  (schema.$ref && components.schemas[schema.$ref.split('/').at(-1) ?? '']) || schema

const typesOf = (description: Description, schema: Schema): readonly string[] => {
  const { type = '', anyOf, enum: values } = resolve(description, schema)
  return values ?? anyOf?.flatMap((one) => typesOf(description, one)) ?? [type]
}

const fieldsOf = (whole: Description, schema: Schema | undefined): Field[] => {
  const { properties = {}, required = [] } = resolve(whole, schema)
  return Object.entries(properties).map(([name, { description = '', ...field }]) => ({
    name,
    type: typesOf(whole, field).join(' | '),
    isRequired: required.includes(name),
    description,
  }))
}

const parametersOf = ({ parameters = [] }: Operation): Field[] =>
  parameters.map(({ name, in: place, required, description }) => ({
    name,
    type: place,
    isRequired: required,
    description,
  }))

const answersOf = ({ responses }: Operation): OutlinedAnswer[] =>
  Object.entries(responses as Record<string, Answer>).map(
    ([status, { description, headers, content = {} }]) => {
      const example = content['application/json']?.example
      return {
        status,
        description,
        types: Object.keys(content),
        headers: Object.keys(headers ?? {}).filter((name) => !name.startsWith('Access-Control-')),
        example:
          example === undefined ? undefined : JSON.stringify(example, null, status < '400' ? 2 : undefined),
      }
    },
  )

const outline = (description: Description, tag: string): OutlinedOperation[] =>
  Object.entries(description.paths).flatMap(([path, item]) =>
    methods.flatMap((name) => {
      const operation = item[name]
      if (operation?.tags[0] !== tag) return []
      const method = name.toUpperCase()
      const server = (item.servers ?? description.servers)[0]?.url ?? ''
      const [media] = Object.values(operation.requestBody?.content ?? {})
      const answers = answersOf(operation)
      return {
        id: operation.operationId,
        method,
        path,
        summary: operation.summary,
        description: operation.description,
        needsKey: isGuarded(operation),
        parameters: parametersOf(operation),
        fields: fieldsOf(description, media?.schema),
        commands: commandsOf(server, method, path, operation),
        answers: answers.filter(({ status }) => Number(status) < 400),
        refusals: answers.filter(({ status }) => Number(status) >= 400),
      }
    }),
  )

/** The description as a reader goes through it: by tag, in the order it was written. */
export const outlineOf = (description: Description): Section[] =>
  description.tags.map((tag) => ({ ...tag, operations: outline(description, tag.name) }))
