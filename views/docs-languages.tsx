import { Html } from '@elysiajs/html'

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
