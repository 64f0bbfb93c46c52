import { Html, type PropsWithChildren } from '@elysiajs/html'

/** An error in a form, shown at its field; without one, at the button. */
export type Problem = { field: string | undefined; message: string }

type FieldProps = {
  name: string
  label: string
  value?: string | undefined
  problem?: Problem | undefined
  hint?: string
}

const idOf = (name: string) => `field-${name}`

/** Attributes of an input with an error. The first wrong field gets the focus, even without a script. */
export const described = (name: string, problem: Problem | undefined) => ({
  id: idOf(name),
  name,
  'aria-describedby': `error-${name}`,
  ...(problem?.field === name && { 'aria-invalid': 'true', autofocus: true }),
})

/** The error of a field, right below it. */
export const FieldError = ({ name, problem }: { name: string; problem: Problem | undefined }) => {
  const message = problem?.field === name ? problem.message : ''
  return (
    <p class="field-error" id={`error-${name}`} safe>
      {message}
    </p>
  )
}

/** A label, the control below it, and its error. */
export const Field = ({
  name,
  label,
  problem,
  hint,
  children,
}: PropsWithChildren<Pick<FieldProps, 'name' | 'label' | 'problem' | 'hint'>>) => (
  <div class="field">
    <label for={idOf(name)} safe>
      {label}
    </label>
    {children as 'safe'}
    <FieldError name={name} problem={problem} />
    {hint === undefined ? null : (
      <p class="hint" safe>
        {hint}
      </p>
    )}
  </div>
)

/** Without `autocomplete="off"`, which would make a browser forget the typed text after going back. */
export const TextField = ({
  name,
  label,
  value = '',
  problem,
  hint,
  ...input
}: FieldProps & Omit<JSX.HtmlInputTag, 'name' | 'value'>) => (
  <Field name={name} label={label} problem={problem} {...(hint !== undefined && { hint })}>
    <input {...described(name, problem)} value={Html.escapeHtml(value)} {...input} />
  </Field>
)

/** A lifetime to choose; `value` is empty for the default of never. */
export type Lifetime = { value: string; label: string }

export const LifetimeField = ({
  name,
  label,
  lifetimes,
  value = lifetimes[0]?.value,
  problem,
}: FieldProps & { lifetimes: readonly Lifetime[] }) => (
  <Field name={name} label={label} problem={problem}>
    <select {...described(name, problem)}>
      {lifetimes.map((lifetime) => (
        <option value={lifetime.value} selected={lifetime.value === value} safe>
          {lifetime.label}
        </option>
      ))}
    </select>
  </Field>
)

/** The button, always visible, and above it an error that is about no field. */
export const Send = ({
  kind,
  problem,
  children,
}: PropsWithChildren<{ kind: 'paste' | 'link'; problem: Problem | undefined }>) => {
  const message = problem?.field === undefined ? problem?.message : undefined
  return (
    <div class="send">
      <p class="error" role="alert" hidden={message === undefined} safe>
        {message ?? ''}
      </p>
      <button
        class="button primary"
        type="submit"
        name="create"
        value={kind}
        autofocus={message !== undefined}
      >
        {children as 'safe'}
      </button>
    </div>
  )
}
