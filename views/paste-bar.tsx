import { Html, type PropsWithChildren } from '@elysiajs/html'
import { CompareForm } from './diff-page.tsx'
import { Icon, type IconName } from './icons.tsx'
import { LanguageField } from './language-field.tsx'
import type { LanguageFormProps, PastePageProps } from './paste-props.ts'

type FaceProps = { icon: IconName; word: string; shortcut?: string; title?: string }

/** Hidden from screen readers: the name of the button is its word, even when that is invisible. */
const Key = ({ children }: PropsWithChildren) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing here takes the focus
  <kbd aria-hidden="true">{children as 'safe'}</kbd>
)

/** An icon; in a wide bar also the word and the shortcut. */
const Face = ({ icon, word, shortcut }: FaceProps) => (
  <>
    <Icon name={icon} />
    <span class="word">{word as 'safe'}</span>
    {shortcut === undefined ? null : <Key>{shortcut as 'safe'}</Key>}
  </>
)

const hintOf = ({ word, shortcut, title = word }: FaceProps) =>
  shortcut === undefined ? title : `${title} (${shortcut})`

/** A button that needs a script. */
const Button = ({ id, isSwitch, ...face }: FaceProps & { id: string; isSwitch?: boolean }) => (
  <button
    class="tool"
    id={id}
    type="button"
    title={hintOf(face)}
    aria-keyshortcuts={face.shortcut}
    data-js
    {...(isSwitch && { 'aria-pressed': 'false' })}
  >
    <Face {...face} />
  </button>
)

type LinkProps = FaceProps & { id: string; href: string; download?: string }

const Link = ({ id, href, download, ...face }: LinkProps) => (
  <a
    class="tool"
    id={id}
    href={href}
    title={hintOf(face)}
    aria-keyshortcuts={face.shortcut}
    {...(download !== undefined && { download: Html.escapeHtml(download) })}
  >
    <Face {...face} />
  </a>
)

const Copy = ({ filter }: Pick<PastePageProps, 'filter'>) => (
  <Button
    id="copy"
    icon="copy"
    word="Copy"
    shortcut="c"
    {...(filter?.kept !== undefined && { title: 'Copy the lines shown' })}
  />
)
const Wrap = () => <Button id="wrap" icon="wrap" word="Wrap" shortcut="w" isSwitch />

/** Of a cut text, it would copy a part. A view copies the raw text, which is gone if the paste burns after reading. */
export const canCopy = ({ cut, view, readsLeft }: PastePageProps) =>
  view === undefined ? !cut : readsLeft === undefined

/** False for views without long lines. */
export const canWrap = ({ view }: PastePageProps) => view === undefined || view === 'formatted'

/** A button that opens a popup. */
const Menu = ({ id, children, ...face }: PropsWithChildren<FaceProps & { id: string }>) => (
  <details class="menu" name="menu" id={id}>
    <summary class="tool" title={hintOf(face)} aria-keyshortcuts={face.shortcut}>
      <Face {...face} />
    </summary>
    <div class="popup">{children as 'safe'}</div>
  </details>
)

const LanguageMenu = (paste: PastePageProps) => (
  <Menu id="language" icon="language" word="Language">
    <LanguageForm {...paste} />
  </Menu>
)

/** The browser loads the QR code when the menu opens. */
const QrMenu = ({ site, name }: Pick<PastePageProps, 'site' | 'name'>) => (
  <Menu id="qr" icon="qr" word="QR" shortcut="q" title="QR code">
    <img
      src={`${site.root}qr/p/${name}`}
      alt="QR code of the address of this paste"
      width="232"
      height="232"
      loading="lazy"
    />
  </Menu>
)

/** Without a script, the address is sent and leads to the comparison. */
const CompareMenu = (paste: PastePageProps) => (
  <Menu id="compare" icon="compare" word="Compare" title="Compare with…">
    <CompareForm site={paste.site} name={paste.name} />
  </Menu>
)

/** Address of the raw text. */
export const rawOf = ({ site, name }: Pick<PastePageProps, 'site' | 'name'>) => `${site.root}p/raw/${name}`

/** Invisible until a script has asked whether the kept key made the paste, but takes its place, so nothing shifts. */
const Edit = ({ site, name }: Pick<PastePageProps, 'site' | 'name'>) => (
  <a
    class="tool of-key"
    id="edit"
    href={`${site.root}?edit=${name}`}
    title="Edit"
    data-own={`${site.root}pastes/${name}`}
  >
    <Face icon="edit" word="Edit" />
  </a>
)

const AllActions = (paste: PastePageProps) => (
  <>
    <Edit {...paste} />
    {canCopy(paste) ? <Copy {...paste} /> : null}
    <Button id="copy-link" icon="link" word="Copy link" shortcut="l" />
    <Link id="raw" href={rawOf(paste)} icon="raw" word="Raw" shortcut="r" />
    <Link
      id="download"
      href={rawOf(paste)}
      download={paste.fileName}
      icon="download"
      word="Download"
      shortcut="d"
    />
    {canWrap(paste) ? <Wrap /> : null}
    <LanguageMenu {...paste} />
    <CompareMenu {...paste} />
    <QrMenu {...paste} />
    <Link
      id="duplicate"
      href={`${paste.site.root}?from=${paste.name}`}
      icon="duplicate"
      word="Duplicate"
      shortcut="e"
    />
  </>
)

/** Only what needs no further request: raw, download and another language would each be a read, and the paste may be gone. */
const LimitedActions = (paste: PastePageProps) => (
  <>
    {canCopy(paste) ? <Copy {...paste} /> : null}
    {canWrap(paste) ? <Wrap /> : null}
  </>
)

/** The bar of a paste: its title, cut off if it is too long, and all actions. */
export const PasteBar = (paste: PastePageProps) => (
  <>
    <h1 title={Html.escapeHtml(paste.title)}>{paste.titleHtml as 'safe'}</h1>
    <nav class="actions" aria-label="This paste">
      {paste.readsLeft === undefined ? <AllActions {...paste} /> : <LimitedActions {...paste} />}
    </nav>
  </>
)

/**
 * Shows a paste in another language, chosen or typed. The page has the common ones, scripts load the rest; without a script
 * any name can be typed.
 */
const LanguageForm = ({ site, languages, languageId }: LanguageFormProps) => (
  <>
    <form class="language-form">
      <LanguageField
        site={site}
        name="lang"
        label="View as"
        value={languageId}
        languages={languages}
        isShort
        isSubmitting
      />
      <button class="button small" type="submit" data-nojs>
        Apply
      </button>
    </form>
    <form class="language-form" data-nojs>
      <label class="field">
        Another language
        <input name="lang" type="text" autocapitalize="none" spellcheck="false" placeholder="rust" required />
      </label>
      <button class="button small" type="submit">
        Apply
      </button>
    </form>
  </>
)
