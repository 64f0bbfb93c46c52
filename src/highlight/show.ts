/** What a page may show instead of the text as it is. */
export const views = ['preview', 'table', 'formatted'] as const
export type View = (typeof views)[number]

/** Levels of a line of a log, the least important first. */
export const levels = ['trace', 'debug', 'info', 'notice', 'warn', 'error', 'fatal'] as const
export type Level = (typeof levels)[number]

/** A view, or the lines of this level and above that hold a word (a literal, case ignored). */
export type Show = { view: View } | { level?: Level; grep?: string }
