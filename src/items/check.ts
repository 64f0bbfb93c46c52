import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { invalid } from '../errors.ts'
import type { Table } from './field.ts'

/** A compiled schema. `problem` is the first error in words, without the value. */
export type Check<T> = {
  isValid: (value: unknown) => value is T
  problem: (value: unknown) => string | undefined
}

/** Compiles a schema to plain code at its first use. */
export const compileCheck = <S extends TSchema>(schema: S) => {
  let compiled: Validator | undefined
  const validator = () => {
    compiled ??= Compile(schema)
    return compiled
  }
  const firstError = (value: unknown) => validator().Errors(value)[0]
  return {
    isValid: (value: unknown): value is Static<S> => validator().Check(value),
    problem: (value: unknown) => {
      if (validator().Check(value)) return undefined
      const error = firstError(value)
      return error ? describe(error) : 'does not fit its schema'
    },
    firstError,
  }
}

/** Checks the body of a request. @throws {AppError} `invalid`, with the first error in words */
export const createBodyCheck = <S extends TSchema>(schema: S, { fields }: Table) => {
  const { isValid, firstError } = compileCheck(schema)
  return (value: unknown) => {
    if (isValid(value)) return value
    const error = firstError(value)
    if (!error) throw invalid('does not fit its schema')
    const message = describe(error)
    const [field = '', ...others] = fieldsOf(error)
    if (others.length > 0 || !Object.hasOwn(fields, field)) throw invalid(message)
    // What a schema alone cannot say explains itself.
    const wrong = error.keyword === '~refine' ? undefined : fields[field]?.wrong
    throw invalid(message, { field, message: wrong ?? message })
  }
}

type SchemaError = { keyword: string; instancePath: string; params: object; message: string }

/** The fields that an error is about; one with an empty name for the value as a whole. */
const fieldsOf = ({ keyword, instancePath, params }: SchemaError) => {
  const path = instancePath.slice(1).replaceAll('/', '.')
  if (keyword !== 'required') return [path]
  const { requiredProperties } = params as { requiredProperties: string[] }
  return requiredProperties.map((name) => (path === '' ? name : `${path}.${name}`))
}

const describe = (error: SchemaError): string => {
  const { keyword, params, message } = error
  const [path = '', ...others] = fieldsOf(error)
  if (keyword === 'required') {
    const missing = [path, ...others].map((name) => `"${name}"`).join(', ')
    return others.length > 0 ? `Fields ${missing} are required` : `Field ${missing} is required`
  }
  const subject = path === '' ? 'The value' : `Field "${path}"`
  if (keyword === 'minLength') return `${subject} must not be empty`
  if (keyword === 'enum')
    return `${subject} must be one of ${(params as { allowedValues: string[] }).allowedValues.join(', ')}`
  if (keyword === 'minimum' || keyword === 'maximum')
    return `${subject} ${message.replace('>=', 'at least').replace('<=', 'at most')}`
  if (keyword !== 'type') return `${subject} ${message}`
  return `${subject} ${message.replace(/^must be (?=([aeiou])?)/, (_, vowel) => (vowel ? 'must be an ' : 'must be a '))}`
}
