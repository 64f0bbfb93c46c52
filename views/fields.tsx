import { Html, type PropsWithChildren } from '@elysiajs/html'

/** What was wrong with what somebody sent: shown beside the field and beside the button. */
export type Problem = { field: string | undefined; message: string }

type FieldProps = {
  name: string
  label: string
  value?: string | undefined
  problem?: Problem | undefined
  hint?: string
}

const idOf = (name: string) => `field-${name}`

/** Attributes of an input that say what is wrong with it. The first wrong field gets the focus, also without a script. */
export const described = (name: string, problem: Problem | undefined) => ({
  id: idOf(name),
  name,
  'aria-describedby': `error-${name}`,
  ...(problem?.field === name && { 'aria-invalid': 'true', autofocus: true }),
})

/** What is wrong with a field, right below it. */
export const FieldError = ({ name, problem }: { name: string; problem: Problem | undefined }) => {
  const message = problem?.field === name ? problem.message : ''
  return (
    <p class="field-error" id={`error-${name}`} safe>
      {message}
    </p>
  )
}

/** A label, what stands below it, and what is wrong with it. */
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

/** Without `autocomplete="off"`: with it a browser that goes back has forgotten what was typed. */
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

/** A lifetime that can be chosen; `value` is empty where nothing expires without a choice. */
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

/** What is wrong, and the button below it: both stay in view. */
export const Send = ({
  kind,
  problem,
  children,
}: PropsWithChildren<{ kind: 'paste' | 'link'; problem: Problem | undefined }>) => (
  <div class="send">
    <p class="error" role="alert" hidden={problem === undefined} safe>
      {problem?.message ?? ''}
    </p>
    <button
      class="button primary"
      type="submit"
      name="create"
      value={kind}
      autofocus={problem !== undefined && problem.field === undefined}
    >
      {children as 'safe'}
    </button>
  </div>
)
