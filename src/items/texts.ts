import { type Control, type SentField, sentRows, type Table } from './field.ts'

type Texts = Readonly<Record<string, string | undefined>>
type Sent = Readonly<Record<string, string | number>>

/** True for a field that holds a whole number. */
export const isNumber = ({ schema }: SentField) => (schema as { type?: unknown }).type === 'integer'

/** A whole number of its digits. Anything else stays text, for the schema to refuse. */
const typed = (field: SentField, text: string) =>
  isNumber(field) && /^\d{1,15}$/.test(text) ? Number(text) : text

/** What an upload says in its query or beside its file. An empty text is kept: it is a variable that lost its value. */
export const fromUpload = (table: Table, texts: Texts): Sent =>
  Object.fromEntries(
    sentRows(table).flatMap(([name, field]) => {
      const text = field.upload ? texts[name] : undefined
      return text === undefined ? [] : [[name, typed(field, text)]]
    }),
  )

/** `maxReads` → `max-reads` */
export const flagOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** A control of the form, and the field that it fills in. */
export type FieldControl = Control & { field: string; name: string; min?: number; max?: number }

/** One form holds both kinds: where pastes have a field as well, the control of a link has another name. */
const nameOf = (field: string, pastes: Table | undefined) =>
  pastes && Object.hasOwn(pastes.fields, field)
    ? `link${field.slice(0, 1).toUpperCase()}${field.slice(1)}`
    : field

/** The controls of a kind, in their order. @param pastes given for links, which stand in the same form */
export const controlsOf = (table: Table, pastes?: Table): readonly FieldControl[] =>
  sentRows(table, 'form').flatMap(([field, { form, schema }]) => {
    if (!form) return []
    const { minimum: min, maximum: max } = schema as { minimum?: number; maximum?: number }
    const bounds = min !== undefined && max !== undefined ? { min, max } : {}
    return [{ ...form, field, name: nameOf(field, pastes), ...bounds }]
  })

/** What a form says. It sends every control, so one of an optional field that is empty was left alone. */
export const fromForm = (table: Table, controls: readonly FieldControl[], texts: Texts): Sent =>
  Object.fromEntries(
    controls.flatMap(({ field, name }) => {
      const row = table.fields[field] as SentField
      const text = texts[name] ?? texts[field] ?? ''
      return text === '' && row.isOptional ? [] : [[field, typed(row, text)]]
    }),
  )
