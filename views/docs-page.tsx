import { Html } from '@elysiajs/html'
import type { Field, OutlinedAnswer, OutlinedOperation, Section } from '../src/describe/outline.ts'
import { Icon } from './icons.tsx'
import { Layout, type Site } from './layout.tsx'

export type DocsPageProps = {
  site: Site
  version: string
  /** Address of the API, without trailing slash. */
  address: string
  /** Address of the pages, without trailing slash. */
  publicUrl: string
  /** Facts about all operations, by paragraph. */
  introduction: readonly string[]
  sections: readonly Section[]
  languages: readonly DocumentedLanguage[]
}

const Contents = ({ sections }: Pick<DocsPageProps, 'sections'>) => (
  <nav class="contents" aria-label="Contents" tabindex="0">
    <details>
      <summary>Contents</summary>
      {sections.map(({ name, operations }) => (
        <div>
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
        </div>
      ))}
      <p>
        <a href="#languages">Languages</a>
      </p>
    </details>
  </nav>
)

/** Shows only operations that contain every typed word, and their number. */
const Filter = () => (
  <search class="filter" data-js>
    <label for="filter">Filter operations</label>
    <input
      id="filter"
      aria-keyshortcuts="/"
      type="search"
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
      placeholder="for example: delete, alias, POST"
      aria-describedby="matches"
    />
    <p class="quiet" id="matches" role="status" />
  </search>
)

/** Run on any page, it fills in the form here. A longer address is cut or refused on its way. */
const bookmarklet = (start: string, values: string) =>
  `javascript:void(u=>u.length>8e3?alert("Too long for an address: copy it instead"):open(u))(${JSON.stringify(start)}+${values})`

/** For browsers and programs, with the address of this server. Our own policy keeps a bookmarklet from running here. */
const Programs = ({ site, publicUrl, sections }: DocsPageProps) => (
  <details class="rules">
    <summary>Bookmarklets, and files for other programs</summary>
    <ul id="programs">
      <li>
        Drag to the bookmarks:{' '}
        <a
          href={Html.escapeHtml(
            bookmarklet(
              `${publicUrl}/?text=`,
              'encodeURIComponent(getSelection())+"&title="+encodeURIComponent(document.title)',
            ),
          )}
        >
          Paste the selection
        </a>
        ,{' '}
        <a
          href={Html.escapeHtml(bookmarklet(`${publicUrl}/?link&url=`, 'encodeURIComponent(location.href)'))}
        >
          Shorten this page
        </a>
        . They fill in the form and send nothing.
      </li>
      <li>
        For programs that open an address: <code safe>{`${publicUrl}/?text=…&title=…&language=…`}</code>,{' '}
        <code safe>{`${publicUrl}/?link&url=…&alias=…`}</code>
      </li>
      <li>
        For ShareX: <a href={`${site.root}sharex/paste.sxcu`}>pastes</a>,{' '}
        <a href={`${site.root}sharex/link.sxcu`}>short links</a>
      </li>
      {sections.some(({ operations }) => operations.some(({ id }) => id === 'pastebinitFile')) ? (
        <li>
          For pastebinit: <a href={`${site.root}clients/pastebinit.conf`}>its configuration</a>
        </li>
      ) : null}
    </ul>
  </details>
)

const Operations = ({ operations }: Pick<Section, 'operations'>) => (
  <>
    {operations.map((operation) => (
      <Operation {...operation} />
    ))}
  </>
)

/** Folded: who reads this page writes a program, and these have theirs. */
const Protocols = ({ sections }: Pick<DocsPageProps, 'sections'>) => (
  <section>
    <h2>Programs for other servers</h2>
    <p class="quiet">What they ask for, each in the protocol of its own server.</p>
    {sections.map(({ name, description, operations }) => (
      <details class="protocol">
        <summary>
          <b safe>{name}</b>
        </summary>
        <p class="quiet">
          <Words text={description} />
        </p>
        <Operations operations={operations} />
      </details>
    ))}
  </section>
)

/** The description of the API for people; complete without a script. */
export const DocsPage = (props: DocsPageProps) => {
  const { site, version, address, introduction, sections, languages } = props
  const [first = '', ...rules] = introduction
  const { own = [], protocols = [] } = Object.groupBy(sections, (section) =>
    section['x-protocol'] ? 'protocols' : 'own',
  )
  return (
    <Layout
      title="API documentation"
      site={site}
      style={site.docsStyle}
      script="docs"
      place="docs"
      shortcuts={[['/', 'Filter operations']]}
    >
      <div class="docs">
        <Contents sections={sections} />
        <div>
          <h1>API documentation</h1>
          <p class="quiet">
            Version <span safe>{version}</span>, served at <code safe>{address}</code>. For programs:{' '}
            <a href={`${site.root}openapi.json`}>openapi.json</a>, in OpenAPI 3.1.
          </p>
          <Prose text={first} />
          <details class="rules">
            <summary>Common to all requests</summary>
            {rules.map((text) => (
              <Prose text={text} />
            ))}
          </details>
          <Programs {...props} />
          <Filter />
          {own.map(({ name, description, operations }) => (
            <section>
              <h2 safe>{name}</h2>
              <p class="quiet">
                <Words text={description} />
              </p>
              <Operations operations={operations} />
            </section>
          ))}
          {protocols.length === 0 ? null : <Protocols sections={protocols} />}
          <Languages languages={languages} />
        </div>
      </div>
    </Layout>
  )
}

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
export const FieldTable = ({ title, fields }: { title: string; fields: readonly Field[] }) =>
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
      <div class="request">
        {operation.description === '' ? null : <Prose text={operation.description} />}
        {operation.commands.map((command) => (
          <Command command={command} of={operation.summary} />
        ))}
        <FieldTable title="Parameters" fields={operation.parameters} />
        <FieldTable title="Body" fields={operation.fields} />
      </div>
      <Answers answers={operation.answers} errors={operation.errors} />
    </article>
  </details>
)

export type DocumentedLanguage = {
  id: string
  name: string
  /** All other words that find it, separated by spaces. */
  spellings: string
}

/** All values of the field `language`. */
export const Languages = ({ languages }: { languages: readonly DocumentedLanguage[] }) => (
  <section>
    <h2>Languages</h2>
    <p class="quiet">Everything that the field “language” may hold.</p>
    <details class="operation">
      <summary>
        <h3>All {languages.length} languages</h3>
        <span class="summary">Ids, names and everything else that finds them</span>
      </summary>
      <article id="languages">
        <p class="prose">Letters may be upper or lower case.</p>
        <dl class="fields">
          {languages.map(({ id, name, spellings }) => (
            <div>
              <dt safe>{name}</dt>
              <dd>
                <code safe>{id}</code>{' '}
                <span class="quiet" safe>
                  {spellings.split(' ').join(', ')}
                </span>
              </dd>
            </div>
          ))}
        </dl>
      </article>
    </details>
  </section>
)
