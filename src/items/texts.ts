import { invalid } from '../errors.ts'
import { parseDuration, parseWordyLifetime } from './durations.ts'
import { type Control, type SentField, sentRows, type Table } from './field.ts'

type Texts = Readonly<Record<string, string | undefined>>
type Sent = Readonly<Record<string, string | number | boolean>>

/** True for a field that holds a whole number. */
export const isNumber = ({ schema }: SentField) => (schema as { type?: unknown }).type === 'integer'

/** True for a field that is on or off. */
export const isSwitch = ({ schema }: SentField) => (schema as { type?: unknown }).type === 'boolean'

const switches: Readonly<Record<string, boolean>> = { 1: true, true: true, 0: false, false: false }

/** Digits as a number, 0 and 1 as off and on. Other text is returned unchanged, and the schema refuses it. */
const typed = (field: SentField, text: string) => {
  if (isSwitch(field)) return switches[text] ?? text
  return isNumber(field) && /^\d{1,15}$/.test(text) ? Number(text) : text
}

/** What 0x0 and rustypaste call the options of an item, and what each promises. */
export const foreignFields = ['oneshot', 'expires', 'secret'] as const

/** Numbers below this one are hours, and the others a time, as 0x0 reads them: it is in 2022 and in the year 190,000. */
const firstTime = 1_650_460_320_000

const secondsUntil = (expires: string, now: number) => {
  if (!/^\d{1,15}$/.test(expires)) return parseDuration(expires) === undefined ? undefined : expires
  const number = Number(expires)
  return String(number < firstTime ? number * 3600 : Math.max(0, Math.ceil((number - now) / 1000)))
}

/**
 * The fields under our own names.
 * @param uses the field that limits how often the item can be used
 * @param now milliseconds since the epoch
 * @throws {AppError} `invalid` for a promise that cannot be kept
 */
export const inOwnNames = (texts: Texts, uses: 'maxReads' | 'maxVisits', now: number): Texts => {
  const { oneshot, expires, secret, ...own } = texts
  if (secret !== undefined && own.alias)
    throw invalid('Field "secret" cannot be kept with "alias": a name can be guessed. Leave one of them out')
  const isOnce = oneshot === undefined ? false : switches[oneshot]
  if (isOnce === undefined) throw invalid('Field "oneshot" must be 1 or 0')
  if (isOnce && own[uses])
    throw invalid(`Fields "oneshot" and "${uses}" say different things. Leave one of them out`)
  if (expires !== undefined && own.expiresIn)
    throw invalid('Fields "expires" and "expiresIn" say different things. Leave one of them out')
  const expiresIn = expires === undefined ? own.expiresIn : secondsUntil(expires, now)
  if (expires !== undefined && (expiresIn === undefined || expiresIn === '0'))
    throw invalid(
      'Field "expires" must be a number of hours, a time to come in milliseconds since 1970, or a lifetime such as 10m, 2h, 7d',
    )
  return { ...own, ...(expiresIn !== undefined && { expiresIn }), ...(isOnce && { [uses]: '1' }) }
}

/** The lifetime in a header `expire`, as rustypaste takes it. @throws {AppError} `invalid` */
export const expiresInOf = (header: string) => {
  const seconds = parseWordyLifetime(header)
  if (seconds) return String(seconds)
  throw invalid('The header "expire" must be a lifetime such as 10min, 2h or 7days')
}

/** @param name as a client sent it. @throws {AppError} `invalid` for a field that is not known */
export const checkKnown = (texts: Texts, known: ReadonlySet<string>) => {
  const unknown = Object.keys(texts).find((name) => !known.has(name))
  if (unknown === undefined) return
  const name = unknown.length > 40 ? `${unknown.slice(0, 40)}…` : unknown
  throw invalid(`Unknown field "${name}". The known ones are: ${[...known].join(', ')}`)
}

/** The fields in the query of an upload, or beside its file. Empty texts stay: probably a shell variable was not set. */
export const fromUpload = (table: Table, texts: Texts): Sent =>
  Object.fromEntries(
    sentRows(table).flatMap(([name, field]) => {
      const text = field.upload ? texts[name] : undefined
      return text === undefined ? [] : [[name, typed(field, text)]]
    }),
  )

/** The names of the fields of an upload. */
export const uploadFields = (table: Table) =>
  sentRows(table).flatMap(([name, { upload }]) => (upload ? [name] : []))

/** `maxReads` → `max-reads` */
const dashed = (field: string) => field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The names of the flag of a field; help shows the first. */
export const flagNames = (field: string, { flag }: SentField) => {
  const own = dashed(field)
  return flag && flag.name !== undefined ? ([flag.name, own] as const) : ([own] as const)
}

/** A control of the form and its field. */
export type FieldControl = Control & { field: string; name: string; min?: number; max?: number }

/** One form contains both kinds, so the control of a link gets another name if pastes have a field of that name. */
const nameOf = (field: string, pastes: Table | undefined) =>
  pastes && Object.hasOwn(pastes.fields, field)
    ? `link${field.slice(0, 1).toUpperCase()}${field.slice(1)}`
    : field

/** The controls of a kind, in their order. @param pastes the table of pastes, for the links in the same form */
export const controlsOf = (table: Table, pastes?: Table): readonly FieldControl[] =>
  sentRows(table, 'form').flatMap(([field, { form, schema }]) => {
    if (!form) return []
    const { minimum: min, maximum: max } = schema as { minimum?: number; maximum?: number }
    const bounds = min !== undefined && max !== undefined ? { min, max } : {}
    return [{ ...form, field, name: nameOf(field, pastes), ...bounds }]
  })

/** The fields of a form. A browser sends every control, so an empty optional field counts as not set. */
export const fromForm = (table: Table, controls: readonly FieldControl[], texts: Texts): Sent =>
  Object.fromEntries(
    controls.flatMap(({ field, name }) => {
      const row = table.fields[field] as SentField
      const text = texts[name] ?? texts[field] ?? ''
      return text === '' && row.isOptional ? [] : [[field, typed(row, text)]]
    }),
  )
