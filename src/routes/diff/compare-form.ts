import { ComparePage } from '../../../views/compare-page.tsx'
import { AppError, invalid } from '../../errors.ts'
import { nameOf } from '../../format.ts'
import { escapeText } from '../../highlight/show-text.ts'
import { page, redirectHeaders } from '../../http/answers.ts'
import type { SiteAt } from '../../http/assets.ts'
import { statusOf } from '../../http/errors.ts'
import { isBrowser } from '../../http/negotiate.ts'
import type { Origin } from '../../http/origin.ts'
import type { NamedContext } from '../../http/routes.ts'
import type { StoredPaste } from '../../items/paste.ts'
import type { Pastes } from '../../services/pastes.ts'
import { createDiffAnswers, type DiffAnswersParts } from './answer-diff.ts'

type CompareFormParts = {
  pastes: Pick<Pastes, 'isBurning'>
  origin: Origin
  findCompared: (name: string) => StoredPaste | Promise<StoredPaste>
  siteAt: SiteAt
}

const nameShape = /^[\w-]{1,64}$/
/** The page of a paste, its raw text, and the addresses of haste clients. */
const pastePath = /\/(?:p\/raw|p|raw|documents|share)\/([\w-]{1,64})(?:\.\w{1,16})?\/?$/
const maxChars = 2048

/**
 * The id or name in what a person typed: an address, an id or a name, perhaps with a line (`#L10`). Browsers copy addresses
 * without their scheme, which no parser of addresses takes: it reads `nas:8080` as a scheme.
 */
export const nameIn = (typed: string): string | undefined => {
  const [path = ''] = typed.slice(0, maxChars).trim().split(/[?#]/, 1)
  if (nameShape.test(path)) return path
  return /\s/.test(path) ? undefined : pastePath.exec(path)?.[1]
}

const wrongName = () =>
  invalid('This is not the address, the id or the name of a paste. Copy the address of its page.')

const missingName = () => invalid('"with" must be the address, the id or the name of the other paste')

/**
 * `GET /diff/<name>?with=<address, id or name>` goes on to the comparison; without `with`, a page asks for it, and
 * programs get an error.
 */
const createCompareForm = ({ pastes, origin, findCompared, siteAt }: CompareFormParts) => {
  const checked = async (name: string) => {
    const paste = await findCompared(name)
    if (!pastes.isBurning(paste)) return paste
    throw new AppError(
      'forbidden',
      `The paste "${nameOf(paste)}" burns after reading, so it cannot be compared.`,
    )
  }

  const formOf = (paste: StoredPaste, typed: string, error?: AppError) =>
    page(
      ComparePage({
        site: siteAt('../'),
        name: nameOf(paste),
        title: paste.title,
        typed: typed.slice(0, maxChars),
        problem: error?.message,
      }) as string,
      error ? statusOf(error) : 200,
    )

  return async ({ name, request, server }: NamedContext) => {
    const paste = await checked(name)
    const typed = new URL(request.url).searchParams.get('with')
    if (typed === null) {
      if (!isBrowser(request)) throw missingName()
      return formOf(paste, '')
    }
    try {
      const other = nameIn(typed)
      if (other === undefined) throw wrongName()
      const { comparison } = origin.addresses({ request, server })
      const address = comparison(nameOf(paste), nameOf(await checked(other)))
      const headers = { ...redirectHeaders, Location: address }
      return new Response(`<a href="${escapeText(address)}">Found</a>\n`, { status: 302, headers })
    } catch (error) {
      if (!(error instanceof AppError) || !isBrowser(request)) throw error
      return formOf(paste, typed, error)
    }
  }
}

/** Everything under `/diff/`. */
export const createDiffHandlers = (parts: DiffAnswersParts & Pick<CompareFormParts, 'origin'>) => {
  const answers = createDiffAnswers(parts)
  return {
    ...answers,
    form: createCompareForm({ ...parts, ...answers }),
  }
}
