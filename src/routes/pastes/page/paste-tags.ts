import type { Form } from './paste-forms.ts'
import { samplePage } from './paste-view.ts'

export type PasteTagsParts = {
  /** Names the program that makes the answers, its commit included. */
  program: string
}

/**
 * Entity tags of what a paste answers, known before anything is made: of the paste's revision and of the program, so that
 * a new program never confirms a page of an old one.
 */
export const createPasteTags = ({ program }: PasteTagsParts) => {
  let maker: string | undefined
  const tag = (revision: string, what: string) => {
    // Not at the start, which it would make longer.
    maker ??= Bun.hash(program + samplePage()).toString(36)
    return `"${Bun.hash(`${maker} ${revision} ${what}`).toString(36)}"`
  }

  return {
    /** @param language that it is read in @param nearest the language that its notice names */
    page: (revision: string, { language, nearest }: { language: string; nearest?: string | undefined }) =>
      tag(revision, `page ${language}${nearest === undefined ? '' : ` ${nearest}`}`),
    form: (revision: string, form: Form) => tag(revision, form),
  }
}
