import { Html } from '@elysiajs/html'
import { Layout, type Shortcut, type Site } from './layout.tsx'
import { Tool } from './more.tsx'

const shortcuts: readonly Shortcut[] = [
  ['s', 'Swap the sides'],
  ['d', 'Download as a patch'],
]

const addressOf = ({ site, sides: [before, after] }: DiffPageProps) =>
  `${site.root}diff/${before.name}/${after.name}`

const titleOf = ({ sides: [before, after] }: DiffPageProps) => (
  <h1>
    {before.titleHtml as 'safe'} → {after.titleHtml as 'safe'}
  </h1>
)

const Tools = (diff: DiffPageProps) => {
  const { site, sides, patchFile, not } = diff
  const [before, after] = sides
  return (
    <>
      <Tool
        id="swap"
        href={`${site.root}diff/${after.name}/${before.name}${diff.look === 'split' ? '?view=split' : ''}`}
        icon="swap"
        word="Swap"
        shortcut="s"
      />
      {not === undefined ? (
        <Tool
          id="patch"
          href={`${addressOf(diff)}.patch`}
          icon="download"
          word="Patch"
          shortcut="d"
          download={patchFile}
        />
      ) : null}
    </>
  )
}

const looks = [
  { look: 'unified', word: 'Unified', query: '?' },
  { look: 'split', word: 'Side by side', query: '?view=split' },
] as const

const LookSwitch = ({ look }: Pick<DiffPageProps, 'look'>) => (
  <nav class="views" aria-label="Show as">
    {looks.map((one) => (
      <a id={`view-${one.look}`} href={one.query} aria-current={one.look === look ? 'page' : undefined}>
        {one.word as 'safe'}
      </a>
    ))}
  </nav>
)

const Side = ({ root, side, sign, word }: { root: string; side: DiffSide; sign: string; word: string }) => (
  <li>
    <span class="sign" title={word}>
      {sign as 'safe'}
    </span>
    <a href={`${root}p/${side.name}`}>{side.titleHtml as 'safe'}</a> <span safe>{side.facts}</span>
  </li>
)

const countsOf = (added: string, removed: string | undefined) =>
  `${added} ${added === '1' ? 'line' : 'lines'} added, ${removed} removed`

/** The sides, and how much they differ. */
const Facts = ({ site: { root }, sides: [before, after], added, removed, look, not }: DiffPageProps) => (
  <div class="about diff-facts">
    {not === undefined ? <LookSwitch look={look} /> : null}
    {added === undefined ? null : (
      <p class="size" safe>
        {countsOf(added, removed)}
      </p>
    )}
    <ul class="sides" aria-label="Sides">
      <Side root={root} side={before} sign="−" word="Before" />
      <Side root={root} side={after} sign="+" word="After" />
    </ul>
  </div>
)

const notWords: Readonly<Record<NotCompared, { what: string; advice: string; canRetry: boolean }>> = {
  different: {
    what: 'These pastes differ too much to be compared line by line.',
    advice: 'So many of their lines are in another order that comparing them would take too long.',
    canRetry: false,
  },
  large: {
    what: 'These pastes are too large to be compared here.',
    advice: 'Compare them with the command line: shortcrust diff.',
    canRetry: false,
  },
  late: { what: 'Comparing these pastes took too long.', advice: 'The server is busy.', canRetry: true },
  failed: {
    what: 'Comparing these pastes took too long, or failed.',
    advice: 'The server tries again in a minute.',
    canRetry: true,
  },
}

// biome-ignore lint/a11y/useValidAnchor: an empty address is that of the page itself, with its query
const Again = () => <a href="">Try again</a>

const Nothing = ({ title, children }: { title: string; children?: JSX.Element }) => (
  <section class="nothing" id="nothing">
    <h2 safe>{title}</h2>
    {children as 'safe'}
  </section>
)

const Rows = ({ id, look, digits, rowsHtml }: DiffPageProps & { id: string }) => (
  <section class={`diff ${look} digits-${digits}`} id={id} tabindex="0" aria-label="Differences">
    {rowsHtml as 'safe'}
  </section>
)

const Content = (diff: DiffPageProps) => {
  const { not, isSame } = diff
  if (not !== undefined) {
    const { what, advice, canRetry } = notWords[not]
    return (
      <Nothing title={what}>
        <p>
          {advice as 'safe'} {canRetry ? <Again /> : null}
        </p>
      </Nothing>
    )
  }
  if (isSame) return <Nothing title="The texts are the same." />
  return <Rows {...diff} id="code" />
}

/** What the editor shows of two versions. */
export const DiffPart = (diff: DiffPageProps & { changes: readonly string[] }) => {
  const { added, removed, isSame, isCut, not, changes } = diff
  const counts = isSame ? 'The text is the same.' : `${countsOf(added ?? '0', removed)}.`
  const facts = [
    not === undefined ? counts : 'The texts differ too much to be compared line by line.',
    ...(isCut ? ['Only the first differences are shown.'] : []),
    ...changes,
  ]
  return (
    <>
      <p class="quiet" id="version-facts" safe>
        {facts.join(' ')}
      </p>
      <Rows {...diff} id="diff" />
    </>
  )
}

/** The page that compares two pastes. */
export const DiffPage = (diff: DiffPageProps) => {
  const [before, after] = diff.sides
  return (
    <Layout
      title={`${before.title} → ${after.title}`}
      site={diff.site}
      style={diff.site.diffStyle}
      shortcuts={shortcuts}
      bar={{ label: 'This comparison', title: titleOf(diff), tools: <Tools {...diff} /> }}
      isWide
    >
      <div id="notices">
        {diff.isMistyped ? (
          <p class="notice" id="ignored">
            The view in the address is not known, so the page shows the usual one.
          </p>
        ) : null}
        {diff.isCut ? (
          <p class="notice" id="cut">
            <strong>Only the first differences have room on this page.</strong> The{' '}
            <a href={`${addressOf(diff)}.patch`}>patch</a> has all of them.
          </p>
        ) : null}
      </div>
      <Facts {...diff} />
      <Content {...diff} />
    </Layout>
  )
}

export type CompareFormProps = {
  site: Site
  /** The name of the paste on the older side. */
  name: string
  /** What was typed before. */
  typed?: string
  /** What is wrong with it. */
  problem?: string | undefined
}

/** Asks for another paste. It works without a script: the server finds the paste and sends the browser on. */
export const CompareForm = ({ site, name, typed = '', problem }: CompareFormProps) => (
  <form class="compare-form" action={`${site.root}diff/${name}`}>
    <div class="field">
      <label for="compare-with">Compare with</label>
      <input
        id="compare-with"
        name="with"
        type="text"
        value={Html.escapeHtml(typed)}
        autocapitalize="none"
        autocomplete="off"
        spellcheck="false"
        placeholder="Address, id or name"
        required
        {...(problem !== undefined && { 'aria-invalid': 'true', 'aria-describedby': 'compare-problem' })}
      />
      {problem === undefined ? null : (
        <p class="field-error" id="compare-problem" safe>
          {problem}
        </p>
      )}
    </div>
    <button class="button small" type="submit">
      Compare
    </button>
  </form>
)

export type ComparePageProps = CompareFormProps & { title: string }

/** Asks what to compare a paste with. */
export const ComparePage = ({ title, ...form }: ComparePageProps) => (
  <Layout title="Compare with…" site={form.site}>
    <section class="card narrow">
      <h1>Compare two pastes</h1>
      <p class="quiet">
        <a href={`${form.site.root}p/${form.name}`} safe>
          {title}
        </a>{' '}
        is the older side. Give the address of the newer one.
      </p>
      <CompareForm {...form} />
    </section>
  </Layout>
)

/** Why two texts could not be compared. */
export type NotCompared = 'different' | 'late' | 'failed' | 'large'

/** One of the two pastes. */
export type DiffSide = {
  /** The name in its addresses: alias or id. */
  name: string
  title: string
  /** The title as safe HTML, with invisible characters marked. */
  titleHtml: string
  facts: string
}

/** The contents of a page that compares two pastes. */
export type DiffPageProps = {
  site: Site
  look: 'unified' | 'split'
  sides: readonly [before: DiffSide, after: DiffSide]
  /** Digits of the longest line number. */
  digits: number
  /** Numbers of lines; `undefined` if they are not known. */
  added: string | undefined
  removed: string | undefined
  isSame: boolean
  /** True if not all rows had room. */
  isCut: boolean
  /** True if the address asks for a look that there is not. */
  isMistyped: boolean
  not: NotCompared | undefined
  patchFile: string
  /** Rows as escaped HTML, or a placeholder for them. */
  rowsHtml: string
}
