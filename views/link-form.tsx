import { Html } from '@elysiajs/html'
import { FieldInput, MoreOptions, split } from './field-control.tsx'
import { Send } from './fields.tsx'
import type { FormProps } from './form-props.ts'

/** The address to shorten. Its controls have their own names, because one form contains both kinds. */
export const LinkForm = (props: FormProps) => {
  const { typed, problem } = props
  const { options, others } = split(props.controls)
  return (
    <section class="link-form" id="link-form" aria-labelledby="link-title">
      <h1 id="link-title">Short link</h1>
      {others.slice(0, 1).map((control) => (
        <FieldInput {...props} control={control} />
      ))}
      <div class="columns">
        {others.slice(1).map((control) => (
          <FieldInput {...props} control={control} />
        ))}
      </div>
      <MoreOptions {...props} controls={options} isOpen={options.some(({ name }) => typed[name])} />
      <Send kind="link" problem={problem}>
        Shorten
      </Send>
    </section>
  )
}
