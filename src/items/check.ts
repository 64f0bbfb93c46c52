import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { invalid } from '../errors.ts'

/** A compiled schema. `problem` is the first error in words, without the value. */
export type Check<T> = {
  isValid: (value: unknown) => value is T
  problem: (value: unknown) => string | undefined
}

/** Compiles a schema to plain code at its first use. */
export const compileCheck = <S extends TSchema>(schema: S): Check<Static<S>> => {
  let compiled: Validator | undefined
  const validator = () => {
    compiled ??= Compile(schema)
    return compiled
  }
  return {
    isValid: (value): value is Static<S> => validator().Check(value),
    problem: (value) => {
      if (validator().Check(value)) return undefined
      const [error] = validator().Errors(value)
      return error ? describe(error) : 'does not fit its schema'
    },
  }
}

/** Checks a request body with a schema. @throws {AppError} `invalid`, with the first error in words */
export const createBodyCheck = <S extends TSchema>(schema: S) => {
  const { isValid, problem } = compileCheck(schema)
  return (value: unknown) => {
    if (isValid(value)) return value
    throw invalid(problem(value) ?? 'Invalid body')
  }
}

type SchemaError = { keyword: string; instancePath: string; params: object; message: string }

const describe = ({ keyword, instancePath, params, message }: SchemaError): string => {
  const path = instancePath.slice(1).replaceAll('/', '.')
  if (keyword === 'required') {
    const { requiredProperties } = params as { requiredProperties: string[] }
    const missing = requiredProperties.map((name) => `"${path === '' ? name : `${path}.${name}`}"`).join(', ')
    return requiredProperties.length > 1 ? `Fields ${missing} are required` : `Field ${missing} is required`
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
