import { Html } from '@elysiajs/html'
import type { Section } from '../src/describe/outline.ts'
import { Prose, Words } from './docs-fields.tsx'
import { type DocumentedLanguage, Languages } from './docs-languages.tsx'
import { Method, Operation } from './docs-operation.tsx'
import { Layout, type Site } from './layout.tsx'

export type DocsPageProps = {
  site: Site
  version: string
  /** Address of the API, without trailing slash. */
  address: string
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

/** The description of the API for people; complete without a script. */
export const DocsPage = (props: DocsPageProps) => {
  const { site, version, address, introduction, sections, languages } = props
  const [first = '', ...rules] = introduction
  return (
    <Layout
      title="API documentation"
      site={site}
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
            <summary>What holds for every operation</summary>
            {rules.map((text) => (
              <Prose text={text} />
            ))}
          </details>
          <Filter />
          {sections.map(({ name, description, operations }) => (
            <section>
              <h2 safe>{name}</h2>
              <p class="quiet">
                <Words text={description} />
              </p>
              {operations.map((operation) => (
                <Operation {...operation} />
              ))}
            </section>
          ))}
          <Languages languages={languages} />
        </div>
      </div>
    </Layout>
  )
}
