import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { createCounter } from '../../collector.ts'
import { piecesOf } from '../../highlight/show-text.ts'
import {
  createFlights,
  jsonHeaders,
  negotiated,
  type Prepared,
  prepare,
  rawHeaders,
  revalidate,
} from '../../http/answers.ts'
import { blobOf } from '../../http/negotiate.ts'
import type { HasteDocument } from '../../items/answers.ts'
import { createView } from '../../items/field.ts'
import { pasteTable, type StoredPaste } from '../../items/paste.ts'

/** Memory for finished answers: about 2,000 texts of 4 KB. */
const cacheBytes = 8 * 1024 ** 2

/** What falls out of the cache goes before the runtime notices: eight readers of eight texts of 1 MiB took 117 MB, and take 31. */
const bytesPerCollection = cacheBytes

/** JSON of this size blocks the server for at most 2 ms. */
const pieceChars = 128 * 1024

/** The forms of a paste apart from the page. */
export type Form = 'raw' | 'json' | 'haste'

export const formHeaders = {
  raw: { ...rawHeaders, ...negotiated },
  json: { ...jsonHeaders, ...negotiated },
  haste: { ...jsonHeaders, ...revalidate },
} as const satisfies Record<Form, Record<string, string>>

/** The fields of a paste that any reader may see. */
export const publicPaste = createView(pasteTable, 'public')

const hasteDocument = ({ id, text }: StoredPaste): HasteDocument => ({ key: id, data: text })

/** Yields the JSON of `emptied` with `text` as its empty field. Other requests get a turn in between. */
async function* jsonPieces(emptied: object, field: string, text: string) {
  // Unique: inside a string, a quote follows a backslash.
  const empty = `"${field}":""`
  const [before = '', after = ''] = JSON.stringify(emptied).split(empty)
  yield `${before}"${field}":"`
  for (const piece of piecesOf(text, pieceChars)) {
    yield JSON.stringify(piece).slice(1, -1)
    await nextTurn()
  }
  yield `"${after}`
}

const jsonOf = async (paste: StoredPaste, form: 'json' | 'haste'): Promise<Blob> => {
  const { text } = paste
  const emptied = { ...paste, text: '' }
  const body = form === 'json' ? publicPaste(emptied) : hasteDocument(emptied)
  return blobOf(jsonPieces(body, form === 'json' ? 'text' : 'data', text))
}

/** Caches finished answers, limited by bytes. Each is made once, however many clients ask, and slow readers share it. */
export const createPasteForms = () => {
  const finished = new LRUCache<string, Prepared>({
    maxSize: cacheBytes,
    // A larger answer replaces the whole cache.
    sizeCalculation: ({ body }) => Math.min(cacheBytes, (body as Blob).size + 500),
  })
  const { shared } = createFlights<Prepared>()
  const collect = createCounter(bytesPerCollection)
  const keyOf = (revision: string, form: Form) => (form === 'raw' ? revision : `${revision}/${form}`)

  const keep = (key: string, form: Form, etag: string, body: Blob) => {
    const prepared = prepare(body, { headers: formHeaders[form], etag })
    finished.set(key, prepared)
    collect(body.size)
    return prepared
  }

  return {
    find: (revision: string, form: Form) => finished.get(keyOf(revision, form)),

    make: (revision: string, paste: StoredPaste, form: Form, etag: string): Prepared | Promise<Prepared> => {
      const key = keyOf(revision, form)
      if (form === 'raw') return keep(key, form, etag, new Blob([paste.text]))
      return shared(key, async () => keep(key, form, etag, await jsonOf(paste, form)))
    },
  }
}
