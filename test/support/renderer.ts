import type { Highlighter, Highlighting } from '../../src/highlight/highlighter.ts'
import type { Job as ChildJob } from '../../src/highlight/lines.ts'
import { createPool } from '../../src/http/memory.ts'
import type { StoredPaste } from '../../src/items/paste.ts'
import { createPasteAnswers } from '../../src/routes/pastes/answer-paste.ts'
import type { Pastes } from '../../src/services/pastes.ts'
import { browser } from './expectations.ts'
import { failed, highlighted, notNow } from './highlighting.ts'
import { siteAt as plainSiteAt } from './site.ts'

type Job = ChildJob & { isUsual: boolean; settle: (result: Highlighting) => void }

export const storedPaste = (fields: Partial<StoredPaste> = {}): StoredPaste => ({
  ...{ id: 'abcdefghjk', createdAt: 0, owner: 'a', deletionHash: '0'.repeat(64) },
  ...{ text: 'let a', title: 'A title', description: '', language: 'javascript' },
  ...fields,
})

/** The answers of pastes over a highlighter that does what a test tells it. */
export const withFakeHighlighter = ({
  maxChars = 1_000_000,
  program = 'this program',
  siteAt = plainSiteAt,
} = {}) => {
  const jobs: Job[] = []
  const reads: string[] = []
  let inMemory: StoredPaste | undefined
  const highlighter: Highlighter = {
    isHighlightable: ({ text, language, show }) =>
      language === 'text' ? show !== undefined : text.length <= maxChars,
    highlight: (job, isUsual) => {
      const { promise, resolve: settle } = Promise.withResolvers<Highlighting>()
      jobs.push({ ...job, isUsual, settle })
      return promise
    },
    prepare: () => {},
    close: () => {},
  }
  const pastes = {
    isBurning: () => false,
    peek: () => inMemory,
  } as Partial<Pastes> as Pastes
  const { answerPaste, answerRaw, answerDocument } = createPasteAnswers({
    pastes,
    pools: { keyless: createPool(16 * 1024 ** 2) },
    counts: { add: (_, id) => void reads.push(id) },
    highlighter,
    cacheBytes: 24 * 1024 ** 2,
    onPageLookup: () => {},
    program,
    siteAt,
  })

  const answering =
    (answer: typeof answerPaste, accept?: string) => async (request: Request, paste: StoredPaste) => {
      inMemory = paste
      if (accept) request.headers.set('Accept', accept)
      return answer(paste.id, request)
    }
  const answers = {
    page: answering(answerPaste),
    json: answering(answerPaste, 'application/json'),
    raw: answering(answerRaw),
    haste: answering(answerDocument),
    /** What is answered at once, from memory; `undefined` where something must be waited for. */
    hot: (id: string, request: Request) => {
      const answer = answerPaste(id, request)
      return answer instanceof Promise ? undefined : answer
    },
  }

  const requestOf = (init: RequestInit = {}, query = '') =>
    new Request(`http://nas/p/abcdefghjk${query}`, { headers: browser, ...init })
  return {
    answers,
    jobs,
    /** Ids of what was counted as read. */
    reads,
    requestOf,
    page: (paste: StoredPaste, init?: RequestInit, query?: string) =>
      answers.page(requestOf(init, query), paste),
    /** Holds the paste in memory, as after a first read of it. */
    hold: (paste: StoredPaste) => {
      inMemory = paste
    },
    /** The job with this number. @throws when it has not begun within some turns of the event loop */
    job: async (at: number) => {
      for (let turn = 0; turn < 1000 && !jobs[at]; turn++) await new Promise(setImmediate)
      const job = jobs[at]
      if (!job) throw new Error(`there is no job ${at}`)
      return {
        ...job,
        finish: (html: string) => job.settle(highlighted(html)),
        fail: () => job.settle(failed),
        /** Its reader has waited long enough; it is finished later. */
        delay: () => {
          const { promise: later, resolve } = Promise.withResolvers<Highlighting>()
          job.settle({ ...notNow, later })
          return { finish: (html: string) => resolve(highlighted(html)), fail: () => resolve(failed) }
        },
        giveUp: () => job.settle(notNow),
      }
    },
  }
}
