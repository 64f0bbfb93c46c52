import type { Dated, Expiring, LanguageFieldProps } from './fields.tsx'
import type { Site } from './layout.tsx'

export type LanguageFormProps = Pick<LanguageFieldProps, 'site' | 'languages'> & {
  /** Id of the shown language. */
  languageId: string
}

/** Why a text is shown as it is, without what was asked for. */
export type Plain = 'late' | 'failed' | 'large'
/** What such a page lacks. */
export type Missing = 'colours' | 'view'

/** A sentence, the line that it is about, and a title if the usual one does not fit. */
export type Trouble = { title?: string; why: string; line?: number }

/** A way to show a text, as a link. */
export type ViewChoice = {
  view: 'text' | 'preview' | 'table' | 'formatted'
  /** Empty for the address of the paste alone. */
  query: string
  isShown: boolean
}

/** Levels of a log, by the names in addresses. */
export type LevelName = 'trace' | 'debug' | 'info' | 'notice' | 'warn' | 'error' | 'fatal'

/** The lines of a log by level, the most important first. */
export type PasteLog = {
  levels: readonly { level: LevelName; count: number; query: string; isShown: boolean }[]
  /** The first line with an error on the page; without errors, with a warning. */
  first: number | undefined
  hasErrors: boolean
}

/** The lines of a text that a page shows. */
export type PasteFilter = {
  /** The language in the address, if it is not the paste's own. */
  lang: string | undefined
  level: LevelName | undefined
  grep: string | undefined
  /** The same as safe HTML, with invisible characters marked. */
  grepHtml: string | undefined
  /** Number of lines that fit, of all; missing on a page without a filter. */
  kept?: number
  total?: number
  /** The query of the whole text. */
  whole: string
}

/** The contents of a paste's page. */
export type PastePageProps = Dated &
  Expiring &
  LanguageFormProps & {
    site: Site
    /** The name in its addresses: alias or id. */
    name: string
    title: string
    /** The title as safe HTML, with invisible characters marked. */
    titleHtml: string
    /** What the title is, if the paste has none of its own. */
    titleIs?: 'first-line' | 'untitled' | undefined
    description: string
    descriptionHtml: string
    /** True if the description is longer than a line, to leave room for the text. */
    isFolded?: boolean
    language: string
    size: string
    lines: string
    /** Digits of the largest line number. */
    digits: number
    /** Counts its changes, from 1. */
    version: number
    /** The versions that its maker can compare, the newest included. */
    versions: number
    /** Lists of lines as escaped HTML, from the highlighter, or a placeholder for them. */
    codeHtml: string
    /** If the page shows only a part of the text: the number of lines, and whether the last one is cut off. */
    cut?: { shown: number; total: number; isPartial: boolean } | undefined
    /** Why something is missing, if it is. */
    plain?: Plain | undefined
    missing?: Missing | undefined
    /** What is shown instead of the text. */
    view?: Exclude<ViewChoice['view'], 'text'> | undefined
    /** Why the view that was asked for shows the text as it is. */
    refused?: Trouble | undefined
    /** What is wrong with the first line that the view shows as it is. */
    problem?: Trouble | undefined
    /** The view and the text; empty for a language without one. */
    views?: readonly ViewChoice[] | undefined
    log?: PasteLog | undefined
    filter?: PasteFilter | undefined
    /** From the first time in a log to the last one. */
    times?: string | undefined
    /** A parameter of the address that the page leaves out. */
    ignored?: 'view' | 'level' | 'grep' | undefined
    /** The nearest language, if the reader asked for an unknown one. */
    nearestLanguage?: string | undefined
    /** True if control sequences were applied, so the shown text differs from the raw one. */
    isTerminal?: boolean | undefined
    fileName: string
    /** Reads left of a burn-after-reading paste. */
    readsLeft?: number | undefined
    /** How many it had when it was created. */
    maxReads?: number | undefined
  }
