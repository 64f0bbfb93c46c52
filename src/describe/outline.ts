import { commandsOf, isGuarded } from './commands.ts'
import type { Answer, Description, Operation, Schema } from './types.ts'

export type Field = { name: string; type: string; isRequired: boolean; description: string }

/** Leaves out `OPTIONS`: only browsers send it, and the introduction explains it. */
const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

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
    type: [...new Set(typesOf(whole, field))].join(' | '),
    isRequired: required.includes(name),
    description,
  }))
}

const answersOf = ({ responses }: Operation) =>
  Object.entries(responses as Record<string, Answer>).map(
    ([status, { description, headers = {}, content = {} }]) => {
      const example = content['application/json']?.example
      const indent = status < '400' ? 2 : undefined
      return {
        status,
        description,
        types: Object.keys(content),
        headers: Object.keys(headers).filter((name) => !name.startsWith('Access-Control-')),
        /** The example as JSON text, if there is one. */
        example: example === undefined ? undefined : JSON.stringify(example, null, indent),
      }
    },
  )
export type OutlinedAnswer = ReturnType<typeof answersOf>[number]

const outlineOperation = (whole: Description, path: string, method: string, operation: Operation) => {
  const { operationId: id, summary, description, parameters = [], requestBody } = operation
  const [media] = Object.values(requestBody?.content ?? {})
  const answers = answersOf(operation)
  const server = (whole.paths[path]?.servers ?? whole.servers)[0]?.url ?? ''
  return {
    ...{ id, method, path, summary, description },
    needsKey: isGuarded(operation),
    parameters: parameters.map(({ name, in: type, required: isRequired, description }): Field => {
      return { name, type, isRequired, description }
    }),
    fields: fieldsOf(whole, media?.schema),
    commands: commandsOf(server, method, path, operation),
    answers: answers.filter(({ status }) => Number(status) < 400),
    errors: answers.filter(({ status }) => Number(status) >= 400),
  }
}
export type OutlinedOperation = ReturnType<typeof outlineOperation>

/** The description for readers: by tag, in the order of the details. */
export const outlineOf = (whole: Description) =>
  whole.tags.map((tag) => ({
    ...tag,
    operations: Object.entries(whole.paths).flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = item[method]
        if (operation?.tags[0] !== tag.name) return []
        return outlineOperation(whole, path, method.toUpperCase(), operation)
      }),
    ),
  }))
export type Section = ReturnType<typeof outlineOf>[number]
