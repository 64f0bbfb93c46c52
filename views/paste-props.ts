import type { Expiring } from './expiry.tsx'
import type { LanguageFormProps } from './language-form.tsx'
import type { Site } from './layout.tsx'

/** Why a text has no colours. */
export type Plain = 'late' | 'failed' | 'large'

/** What the page of a paste shows. */
export type PastePageProps = Expiring &
  LanguageFormProps & {
    site: Site
    /** What stands for it in its addresses: its alias or its id. */
    name: string
    title: string
    /** The same as safe HTML, in which characters that nobody sees are marked. */
    titleHtml: string
    description: string
    descriptionHtml: string
    /** True for a description of more than a line: the text is what the page is for. */
    isFolded?: boolean
    language: string
    size: string
    lines: string
    createdAt: string
    createdAtText: string
    /** Lists of lines of escaped HTML, from the highlighter; or what marks their place. */
    codeHtml: string
    /** Where the page does not show the whole text: how many of its lines, and whether the last of them is whole. */
    cut?: { shown: number; total: number; isPartial: boolean } | undefined
    /** Why it has no colours, where it should have some. */
    plain?: Plain | undefined
    /** Where the reader asked for a language that nobody knows: the nearest one. */
    nearestLanguage?: string | undefined
    /** True where the text is shown as a terminal leaves it, which is not the text to the letter. */
    isTerminal?: boolean | undefined
    fileName: string
    /** Of a burn-after-reading paste: how often it can be read again. */
    readsLeft?: number | undefined
  }
