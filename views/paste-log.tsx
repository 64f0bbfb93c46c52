import { Html } from '@elysiajs/html'
import { countText } from '../src/format.ts'
import type { LevelName, PasteFilter, PasteLog, PastePageProps } from './paste-props.ts'

/** The names of levels beside a number, for one line and for more. */
const names: Readonly<Record<LevelName, readonly [one: string, more: string]>> = {
  fatal: ['fatal', 'fatal'],
  error: ['error', 'errors'],
  warn: ['warning', 'warnings'],
  notice: ['notice', 'notices'],
  info: ['info', 'info'],
  debug: ['debug', 'debug'],
  trace: ['trace', 'trace'],
}

const levelCount = (level: LevelName, count: number) =>
  `${countText(count)} ${names[level][count === 1 ? 0 : 1]}`

/** What the lines of a level and above are. */
const above = (level: LevelName) => (level === 'fatal' ? 'fatal' : `${names[level][0]} and above`)

/** How many lines of each level there are: as links where the page may be loaded again. */
const Levels = ({ levels, isLimited }: Pick<PasteLog, 'levels'> & { isLimited: boolean }) => (
  <ul class="levels" aria-label="Levels">
    {levels.map(({ level, count, query, isShown }) => (
      <li class={`level-${level}`}>
        {isLimited ? (
          <span safe>{levelCount(level, count)}</span>
        ) : (
          <a
            href={Html.escapeHtml(query)}
            title={`Only ${above(level)}`}
            aria-current={isShown ? 'true' : undefined}
            safe
          >
            {levelCount(level, count)}
          </a>
        )}
      </li>
    ))}
  </ul>
)

/** A link to the first line; with a script, a button to the next ones. */
const NextError = ({ first, hasErrors }: PasteLog) => {
  if (first === undefined) return null
  const what = hasErrors ? 'error' : 'warning'
  return (
    <p class="next-error">
      <a
        class="button"
        id="next-error"
        href={`#L${first}`}
        aria-keyshortcuts="n"
        title={`Next ${what} (n)`}
        data-level={hasErrors ? 'le' : 'lw'}
      >
        Next {what}
      </a>
      <button
        class="button"
        id="last-error"
        type="button"
        aria-keyshortcuts="N"
        title={`Previous ${what} (N)`}
        aria-label={`Previous ${what}`}
        data-js
      >
        ↑
      </button>
    </p>
  )
}

const Hidden = ({ name, value }: { name: string; value: string | undefined }) =>
  value === undefined ? null : <input type="hidden" name={name} value={Html.escapeHtml(value)} />

/** A form that needs no script: its fields become the query. */
const FilterForm = ({ lang, level, grep = '' }: PasteFilter) => (
  <search>
    <form class="line-filter" method="get">
      <Hidden name="lang" value={lang} />
      <Hidden name="level" value={level} />
      <input
        type="search"
        name="grep"
        value={Html.escapeHtml(grep)}
        maxlength="200"
        placeholder="Lines with this text"
        aria-label="Show only lines with this text"
        autocomplete="off"
        spellcheck="false"
      />
      <button class="button" type="submit">
        Filter
      </button>
    </form>
  </search>
)

const conditionsOf = ({ level, grepHtml }: PasteFilter) => (
  <>
    {level === undefined ? null : (
      <>
        with level <strong safe>{above(level)}</strong>
      </>
    )}
    {level === undefined || grepHtml === undefined ? null : ' that '}
    {grepHtml === undefined ? null : (
      <>
        {level === undefined ? 'that ' : ''}contain <strong>{`“${grepHtml}”` as 'safe'}</strong>
      </>
    )}
  </>
)

/** Says that lines are missing, and which. */
const Filtered = ({ filter, isLimited }: { filter: PasteFilter; isLimited: boolean }) => (
  <p class="filtered" id="filtered">
    {filter.kept === 0 ? 'There are no lines ' : 'Only lines '}
    {conditionsOf(filter) as 'safe'}
    <span safe>
      {filter.kept === 0 ? '.' : `: ${countText(filter.kept ?? 0)} of ${countText(filter.total ?? 0)}.`}
    </span>{' '}
    {isLimited ? null : (
      <a id="whole" href={Html.escapeHtml(filter.whole)}>
        Show the whole text
      </a>
    )}
  </p>
)

/** The bar above a log, and above every text that is shown only in part. */
export const LogBar = ({ log, filter, readsLeft }: PastePageProps) => {
  if (!filter) return null
  const isLimited = readsLeft !== undefined
  return (
    <section class="log-bar" aria-label="Lines of the text">
      {log?.levels.length ? <Levels levels={log.levels} isLimited={isLimited} /> : null}
      {log ? <NextError {...log} /> : null}
      {isLimited ? null : <FilterForm {...filter} />}
      {filter.kept === undefined ? null : <Filtered filter={filter} isLimited={isLimited} />}
    </section>
  )
}
