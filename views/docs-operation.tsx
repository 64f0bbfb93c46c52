import { Html } from '@elysiajs/html'
import type { OutlinedOperation } from '../src/describe/outline.ts'
import { Answers } from './docs-answers.tsx'
import { Fields, Prose, Words } from './docs-fields.tsx'
import { Icon } from './icons.tsx'

export const Method = ({ name }: { name: string }) => (
  <span class={`method ${name === 'GET' ? 'reads' : name === 'DELETE' ? 'deletes' : 'writes'}`} safe>
    {name}
  </span>
)

const Command = ({ command, of }: { command: string; of: string }) => (
  <div class="copied">
    <pre class="command" tabindex="0">
      <code safe>{command}</code>
    </pre>
    <button
      class="tool"
      type="button"
      title="Copy"
      aria-label={Html.escapeHtml(`Copy the command: ${of}`)}
      data-copy={Html.escapeHtml(command)}
      data-js
    >
      <Icon name="copy" />
    </button>
  </div>
)

/** Folded to one line. The id is inside, because browsers open the details around an address's target, even without a script. */
export const Operation = (operation: OutlinedOperation) => (
  <details class="operation">
    <summary>
      <h3>
        <Method name={operation.method} /> <code safe>{operation.path}</code>
      </h3>
      <span class="summary">
        <span>
          <Words text={operation.summary} />
        </span>
        {operation.needsKey ? <span class="badge">API key</span> : null}
      </span>
    </summary>
    <article id={Html.escapeHtml(operation.id)}>
      <div class="about">
        {operation.description === '' ? null : <Prose text={operation.description} />}
        {operation.commands.map((command) => (
          <Command command={command} of={operation.summary} />
        ))}
        <Fields title="Parameters" fields={operation.parameters} />
        <Fields title="Body" fields={operation.fields} />
      </div>
      <Answers answers={operation.answers} errors={operation.errors} />
    </article>
  </details>
)
