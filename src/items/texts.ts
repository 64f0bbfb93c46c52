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

/** The fields in the query of an upload, or beside its file. Empty texts stay: probably a shell variable was not set. */
export const fromUpload = (table: Table, texts: Texts): Sent =>
  Object.fromEntries(
    sentRows(table).flatMap(([name, field]) => {
      const text = field.upload ? texts[name] : undefined
      return text === undefined ? [] : [[name, typed(field, text)]]
    }),
  )

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
