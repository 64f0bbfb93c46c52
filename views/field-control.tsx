import { Html } from '@elysiajs/html'
import type { FieldControl } from '../src/items/field.ts'
import { LanguageField, LifetimeField, TextField } from './fields.tsx'
import type { FormProps } from './form-props.ts'

const inputs = {
  line: {},
  name: { type: 'text', autocapitalize: 'none', spellcheck: 'false' },
  address: { type: 'text', inputmode: 'url', autocapitalize: 'none', spellcheck: 'false' },
  uses: { type: 'number', inputmode: 'numeric' },
} as const

type ControlProps = FormProps & { control: FieldControl }

/** One control of a form, except the text of a paste. */
export const FieldInput = ({ control, site, typed, problem, languages, lifetimes }: ControlProps) => {
  const { name, label, as, placeholder, min, max } = control
  const field = { name, label, value: typed[name], problem }
  const hint = placeholder === undefined ? {} : { placeholder }
  if (as === 'lifetime') return <LifetimeField {...field} lifetimes={lifetimes} />
  if (as === 'language') return <LanguageField {...{ ...field, ...hint, site, languages }} />
  const bounds = min === undefined ? {} : { min: String(min), max: String(max) }
  return <TextField {...field} {...(as !== 'area' && inputs[as])} {...bounds} {...hint} />
}

/** The controls that few people need, folded. */
export const MoreOptions = ({ isOpen, ...form }: FormProps & { isOpen: boolean }) => (
  <details class="options" open={isOpen}>
    <summary>More options</summary>
    {form.controls.map((control) => (
      <FieldInput {...form} control={control} />
    ))}
  </details>
)

/** Splits the controls into visible and folded ones. */
export const split = (controls: readonly FieldControl[]) => ({
  options: controls.filter(({ isOption }) => isOption),
  others: controls.filter(({ as, isOption }) => as !== 'area' && !isOption),
})
