import type { FieldControl } from '../src/items/field.ts'
import type { LanguageFieldProps, Lifetime, Problem } from './fields.tsx'
import type { Site } from './layout.tsx'

/** Typed values, shown again with an error. Never the API key. */
export type Typed = Readonly<Partial<Record<string, string>>>

/** The properties of a form. */
export type FormProps = {
  site: Site
  languages: LanguageFieldProps['languages']
  lifetimes: readonly Lifetime[]
  /** Limit of the text, in bytes of UTF-8. */
  maxBytes: number
  controls: readonly FieldControl[]
  typed: Typed
  problem: Problem | undefined
}
