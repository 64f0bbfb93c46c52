import { ComparePage } from '../../../views/diff-page.tsx'
import { AppError, forbidden, invalid } from '../../errors.ts'
import { asSentence, publicName } from '../../format.ts'
import { escapeText } from '../../highlight/show-text.ts'
import {
  answer,
  answerHead,
  answerNotModified,
  isHeldBy,
  type Prepared,
  page,
  redirectHeaders,
} from '../../http/answers.ts'
import { bodyLimit, maxLinkBodyBytes, readJsonObject } from '../../http/body.ts'
import { statusOf } from '../../http/errors.ts'
import type { AnswerByName } from '../../http/listen.ts'
import { createLending, type Pools, tooManyLent } from '../../http/memory.ts'
import { codedHeaders, codedTag, codingOf, encoded, isBrowser } from '../../http/negotiate.ts'
import type { Origin } from '../../http/origin.ts'
import type { KeyedContext, NamedContext, RouteContext } from '../../http/routes.ts'
import { pasteName } from '../../items/name.ts'
import type { StoredPaste } from '../../items/paste.ts'
import type { Item } from '../../services/items.ts'
import type { ItemsOfKey } from '../../services/own-items.ts'
import type { Pastes } from '../../services/pastes.ts'
import { numberOf } from '../items/changes.ts'
import type { ItemsOfKeyParts } from '../items/own-items.ts'
import { revisionOf } from '../pastes/paste-page.ts'
import {
  createDiffRenderer,
  createDiffTags,
  type DiffAsked,
  type DiffRendererParts,
  diffHeadersOf,
  type Two,
} from './diff-view.ts'

export type DiffAnswersParts = DiffRendererParts & {
  pastes: Pick<Pastes, 'peek' | 'find' | 'isBurning'>
  pools: Pick<Pools, 'keyless'>
  /** Version of the program, with its commit. */
  program: string
}

const patchEnd = '.patch'

const comparedName = /^[\w-]{1,64}$/

/** Says which of the two is missing. */
const naming = (name: string, error: unknown): never => {
  if (!(error instanceof AppError) || !comparedName.test(name)) throw error
  if (error.kind === 'not-found') throw new AppError(error.kind, `There is no paste "${name}"`)
  if (error.kind === 'gone') throw new AppError(error.kind, `The paste "${name}" was deleted or has expired`)
  throw error
}

/** No promise if the paste is in memory. @throws {AppError} `not-found`, `gone`, `damaged` */
const findIn =
  (pastes: Pick<Pastes, 'peek' | 'find'>) =>
  (name: string): StoredPaste | Promise<StoredPaste> =>
    pastes.peek(name) ?? pastes.find(name).catch((error) => naming(name, error))

/** Passes a value on, without a promise if it is known. */
const withValue = <T, R>(value: T | Promise<T>, act: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(act) : act(value)

type Wanted = Pick<DiffAsked, 'as' | 'isMistyped'>

/** What was last asked of two pastes. Building its key takes longer than to find a finished page. */
const createLast = () => {
  // For each first paste the last second one. Neither keeps the other in memory.
  const last = new WeakMap<StoredPaste, WeakMap<StoredPaste, DiffAsked>>()
  return {
    find: ([before, after]: Two, { as, isMistyped }: Wanted) => {
      const asked = last.get(before)?.get(after)
      return asked?.as === as && asked.isMistyped === isMistyped ? asked : undefined
    },
    keep: (two: Two, { as, isMistyped }: Wanted, revisions: string) => {
      const key = `${revisions} ${as}${isMistyped ? '?' : ''}`
      const asked: DiffAsked = { key, two, as, ...(isMistyped && { isMistyped }) }
      last.set(two[0], new WeakMap([[two[1], asked]]))
      return asked
    },
  }
}

/** What the request wants: browsers get a page. @throws {AppError} `invalid` for an unknown view, for programs */
const wantedOf = (request: Request, isFile: boolean): Wanted => {
  const { url } = request
  const isPage = !isFile && isBrowser(request)
  const view = url.includes('?') ? new URL(url).searchParams.get('view') : null
  const isKnown = view === null || view === 'split' || view === 'unified'
  if (!isKnown && !isPage) throw invalid('"view" must be one of unified, split')
  if (!isPage) return { as: isFile ? 'file' : 'patch' }
  if (!isKnown) return { as: 'unified', isMistyped: true }
  return { as: view ?? 'unified' }
}

/** What was typed, as it is: it may be unfinished. */
const typedIn = (body: object) =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([field, value]) =>
        /^(?:text|title|description|language|url)$/.test(field) && typeof value === 'string',
    ),
  )

/** Compares two pastes. What is kept is sent in the same turn, without `await`. */
export const createDiffAnswers = ({ pastes, program, pools, ...parts }: DiffAnswersParts) => {
  const renderer = createDiffRenderer(parts)
  const tagOf = createDiffTags(program, parts.siteAt)
  const lend = createLending(pools.keyless)
  const find = findIn(pastes)
  const last = createLast()

  const unburnt = (paste: StoredPaste) => {
    if (!pastes.isBurning(paste)) return paste
    throw forbidden(`The paste "${publicName(paste)}" burns after reading, so it cannot be compared.`)
  }

  const send = (request: Request, prepared: Prepared) => {
    if (isHeldBy(request, prepared.etag) || request.method === 'HEAD') return answer(request, prepared)
    const lent = lend(prepared)
    if (!lent) throw tooManyLent()
    return lent
  }

  const make = async (request: Request, asked: DiffAsked) => {
    const [etag, coding] = [tagOf(asked.key), codingOf(request)]
    const [headers, tag] = [codedHeaders(diffHeadersOf(asked), coding), codedTag(etag, coding)]
    if (isHeldBy(request, tag)) return answerNotModified(headers, tag)
    // Whether there is a patch is known only once it is made.
    const isPage = asked.as === 'unified' || asked.as === 'split'
    if (isPage && request.method === 'HEAD') return answerHead(headers, tag)
    const body = renderer.find(asked) ?? (await renderer.render(asked, etag))
    return send(request, await encoded(request, body))
  }

  const answerAsked = (request: Request, asked: DiffAsked) => {
    const finished = renderer.find(asked)?.coded[codingOf(request)]
    if (finished && !(finished instanceof Promise)) return send(request, finished)
    return make(request, asked)
  }

  /** `GET /diff/<name>/<other>`, and with `.patch` at its end */
  const answerDiff: AnswerByName = (name, request, other = '') => {
    const isFile = other.endsWith(patchEnd)
    const wanted = wantedOf(request, isFile)
    const otherName = isFile ? other.slice(0, -patchEnd.length) : other
    return withValue(find(name), (before) =>
      withValue(find(otherName), (after) => {
        const two: Two = [before, after]
        const known = last.find(two, wanted)
        if (known) return answerAsked(request, known)
        two.forEach(unburnt)
        return withValue(revisionOf(before), (first) =>
          withValue(revisionOf(after), (second) =>
            answerAsked(request, last.keep(two, wanted, `${first} ${second}`)),
          ),
        )
      }),
    )
  }
  return { answerDiff, answerAsked, unburnt, findCompared: find }
}

type DiffAnswers = ReturnType<typeof createDiffAnswers>

/** `GET …/versions/<version>/<other>`, for the key of the item; `POST` to a version compares it with the body. */
const createVersions =
  ({ answerAsked, unburnt }: DiffAnswers) =>
  <T extends Item>(own: ItemsOfKey<T>, maxBodyBytes: number, asPaste: (item: T) => StoredPaste) =>
  async (context: KeyedContext & RouteContext) => {
    const { name, holder, params, request } = context
    const at = async (version: unknown) => own.version(holder.name, name, numberOf(String(version)))
    const before = await at(params.version)
    const isTyped = params.other === undefined
    const after = isTyped
      ? { ...before, ...typedIn(await readJsonObject(context, maxBodyBytes)) }
      : await at(params.other)
    const two = [unburnt(asPaste(before)), unburnt(asPaste(after))] as const
    const other = isTyped ? 'what you typed' : `version ${params.other}`
    const called = [`version ${params.version}`, other]
    const wanted = wantedOf(request, false)
    const key = [await revisionOf(two[0]), await revisionOf(two[1]), wanted.as, ...called].join(' ')
    return answerAsked(request, { key, two, called, ...wanted })
  }

type CompareFormParts = DiffAnswers & Pick<DiffAnswersParts, 'siteAt'> & { origin: Origin }

/** The page of a paste, its raw text, and the addresses of haste clients. */
const pastePath = /\/(?:p\/raw|p|raw|documents|share)\/([\w-]{1,64})(?:\.\w{1,16})?\/?$/
const maxChars = 2048

/**
 * The id or name in what a person typed: an address, an id or a name, perhaps with a line (`#L10`). Browsers copy addresses
 * without their scheme, which no parser of addresses takes: it reads `nas:8080` as a scheme.
 */
export const nameIn = (typed: string): string | undefined => {
  const [path = ''] = typed.slice(0, maxChars).trim().split(/[?#]/, 1)
  if (comparedName.test(path)) return path
  return /\s/.test(path) ? undefined : pastePath.exec(path)?.[1]
}

const wrongName = () =>
  invalid('This is not the address, the id or the name of a paste. Copy the address of its page.')

const missingName = () => invalid('"with" must be the address, the id or the name of the other paste')

/**
 * `GET /diff/<name>?with=<address, id or name>` goes on to the comparison; without `with`, a page asks for it, and
 * programs get an error.
 */
const createCompareForm = ({ origin, findCompared, unburnt, siteAt }: CompareFormParts) => {
  const checked = async (name: string) => unburnt(await findCompared(name))

  const formOf = (paste: StoredPaste, typed: string, error?: AppError) =>
    page(
      ComparePage({
        site: siteAt('../'),
        name: publicName(paste),
        title: pasteName(paste),
        typed: typed.slice(0, maxChars),
        problem: error && asSentence(error.message),
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
      const address = comparison(publicName(paste), publicName(await checked(other)))
      const headers = { ...redirectHeaders, Location: address }
      return new Response(`<a href="${escapeText(address)}">Found</a>\n`, { status: 302, headers })
    } catch (error) {
      if (!(error instanceof AppError) || !isBrowser(request)) throw error
      return formOf(paste, typed, error)
    }
  }
}

/** Everything under `/diff/`. */
export const createDiffHandlers = (
  parts: DiffAnswersParts & Pick<ItemsOfKeyParts, 'origin' | 'pastesOfKey' | 'linksOfKey' | 'maxPasteBytes'>,
) => {
  const answers = createDiffAnswers(parts)
  const versionsOf = createVersions(answers)
  const { pastesOfKey, linksOfKey, maxPasteBytes } = parts
  return {
    ...answers,
    pasteVersions: versionsOf(pastesOfKey, bodyLimit(maxPasteBytes), (paste) => paste),
    linkVersions: versionsOf(linksOfKey, maxLinkBodyBytes, (link) => ({
      ...{ ...link, text: `${link.url}\n` },
      ...{ title: '', description: '', language: 'text' },
    })),
    form: createCompareForm({ ...parts, ...answers }),
  }
}
