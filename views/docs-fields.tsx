import { Html } from '@elysiajs/html'
import type { Field } from '../src/describe/outline.ts'

/** Words with code in `backticks`. */
export const Words = ({ text }: { text: string }) => (
  <>
    {text
      .split('`')
      .map((part, at) => (at % 2 ? <code safe>{part}</code> : (Html.escapeHtml(part) as 'safe')))}
  </>
)

/** A paragraph of them. */
export const Prose = ({ text }: { text: string }) => (
  <p class="prose">
    <Words text={text} />
  </p>
)

/** The fields of a request, with those that are required. */
export const Fields = ({ title, fields }: { title: string; fields: readonly Field[] }) =>
  fields.length === 0 ? null : (
    <>
      <h4 safe>{title}</h4>
      <dl class="fields">
        {fields.map(({ name, type, isRequired, description }) => (
          <div>
            <dt>
              <code safe>{name}</code>{' '}
              <span class="quiet" safe>
                {isRequired ? type : `${type}, optional`}
              </span>
            </dt>
            <dd>
              <Prose text={description} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
