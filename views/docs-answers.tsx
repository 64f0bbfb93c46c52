import { Html } from '@elysiajs/html'
import type { OutlinedAnswer } from '../src/describe/outline.ts'
import { Words } from './docs-fields.tsx'

const Answer = ({ status, description, types, headers, example }: OutlinedAnswer) => (
  <div>
    <dt>
      <code safe>{status}</code>
    </dt>
    <dd>
      <p class="prose">
        <Words text={description} />
        {types.length === 0 ? null : (
          <span class="quiet" safe>
            {` · ${types.join(', ')}`}
          </span>
        )}
      </p>
      {headers.length === 0 ? null : (
        <p class="prose quiet">
          With <span safe>{headers.join(', ')}</span>
        </p>
      )}
      {example === undefined ? null : (
        <pre class="command" tabindex="0">
          <code safe>{example}</code>
        </pre>
      )}
    </dd>
  </div>
)

export type AnswersProps = {
  answers: readonly OutlinedAnswer[]
  errors: readonly OutlinedAnswer[]
}

/** The answers of an operation. Errors are folded: they are long and mostly the same. */
export const Answers = ({ answers, errors }: AnswersProps) => (
  <>
    <h4>Responses</h4>
    <dl class="answers">
      {answers.map((answer) => (
        <Answer {...answer} />
      ))}
    </dl>
    <details>
      <summary>
        Errors: <span safe>{errors.map(({ status }) => status).join(', ')}</span>
      </summary>
      <dl class="answers">
        {errors.map((answer) => (
          <Answer {...answer} />
        ))}
      </dl>
    </details>
  </>
)
