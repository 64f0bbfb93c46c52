import { Html } from '@elysiajs/html'
import type { OutlinedOperation, Section } from '../src/openapi/outline.ts'
import { Answers } from './docs-answers.tsx'
import { Fields, Prose } from './docs-fields.tsx'
import { Layout, type Site } from './layout.tsx'

export type DocsPageProps = {
  site: Site
  version: string
  /** Where the API is served, without trailing slash. */
  address: string
  /** What holds for every operation, a paragraph each. */
  introduction: readonly string[]
  sections: readonly Section[]
}

const Method = ({ name }: { name: string }) => (
  <span class={`method ${name === 'GET' ? 'reads' : name === 'DELETE' ? 'deletes' : 'writes'}`} safe>
    {name}
  </span>
)

const Contents = ({ sections }: { sections: readonly Section[] }) => (
  <nav class="contents" aria-label="Operations" tabindex="0">
    <details>
      <summary>All operations</summary>
      {sections.map(({ name, operations }) => (
        <>
          <p safe>{name}</p>
          <ul>
            {operations.map(({ id, method, path }) => (
              <li>
                <a href={`#${Html.escapeHtml(id)}`}>
                  <Method name={method} /> <code safe>{path}</code>
                </a>
              </li>
            ))}
          </ul>
        </>
      ))}
    </details>
  </nav>
)

const Command = ({ command }: { command: string }) => (
  <div class="copied">
    <pre class="command" tabindex="0">
      <code safe>{command}</code>
    </pre>
    <button class="button" type="button" data-copy={Html.escapeHtml(command)} data-js>
      Copy
    </button>
  </div>
)

const Operation = (operation: OutlinedOperation) => (
  <article class="card operation" id={Html.escapeHtml(operation.id)}>
    <h3>
      <Method name={operation.method} /> <code safe>{operation.path}</code>
    </h3>
    <p class="summary">
      <span safe>{operation.summary}</span>
      {operation.needsKey ? <span class="badge">API key</span> : null}
    </p>
    {operation.description === '' ? null : <Prose text={operation.description} />}
    {operation.commands.map((command) => (
      <Command command={command} />
    ))}
    <Fields title="Parameters" fields={operation.parameters} />
    <Fields title="Body" fields={operation.fields} />
    <Answers answers={operation.answers} refusals={operation.refusals} />
  </article>
)

/** The description of the API for people; complete without a script. */
export const DocsPage = ({ site, version, address, introduction, sections }: DocsPageProps) => (
  <Layout title="API · Shortcrust" site={site} script="docs" place="docs">
    <div class="docs">
      <Contents sections={sections} />
      <div>
        <h1>API</h1>
        <p class="quiet">
          Version <span safe>{version}</span>, served at <code safe>{address}</code>. For programs:{' '}
          <a href={`${site.root}openapi.json`}>openapi.json</a>, in OpenAPI 3.1.
        </p>
        {introduction.map((text) => (
          <Prose text={text} />
        ))}
        {sections.map(({ name, description, operations }) => (
          <section>
            <h2 safe>{name}</h2>
            <p class="quiet" safe>
              {description}
            </p>
            {operations.map((operation) => (
              <Operation {...operation} />
            ))}
          </section>
        ))}
      </div>
    </div>
  </Layout>
)
