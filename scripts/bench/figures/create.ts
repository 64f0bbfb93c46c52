import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { examplePaste } from '../../../test/support/client.ts'
import { testKey } from '../../../test/support/process.ts'
import { type Answer, ask, assertSame } from '../answers.ts'
import { commonFields, makeIdFolders } from '../folder.ts'
import { startLimit } from '../processes.ts'
import { typescript } from '../sample-code.ts'
import type { Exchange } from './exchange.ts'

const kinds = {
  link: {
    path: '/shortener',
    folder: 'links',
    body: { url: 'https://example.org/a/page/of/some/length?number=1' },
  },
  paste: {
    path: '/paste',
    folder: 'pastes',
    body: { ...examplePaste, text: typescript(4096) },
  },
}

const withoutId = (answer: Answer) => {
  const { location = '' } = answer.headers
  const id = location.split('/').at(-1) as string
  const body = Buffer.from(answer.body, 'base64').toString()
  return {
    id,
    body,
    masked: {
      ...answer,
      headers: { ...answer.headers, location: location.replace(id, '') },
      body: body.replaceAll(id, ''),
    },
  }
}

const creation = (kind: keyof typeof kinds): Omit<Exchange, 'name' | 'what'> => ({
  atLeast: 0.8,
  limit: 'the same system calls',
  turnMs: 500,
  prepare: async ({ data }) => {
    const { path, folder, body } = kinds[kind]
    makeIdFolders(join(data, folder))
    const headers = { key: testKey, 'Content-Type': 'application/json' }
    return [{ method: 'POST', path, headers, body: JSON.stringify(body) }]
  },
  startLimit: async (product, asks) => {
    const [first] = asks
    if (!first) throw new Error('there is nothing to ask')
    const answer = await ask(product.url, first)
    if (answer.status !== 201) throw new Error(`${first.path} answered ${answer.status}`)
    const { id, body, masked } = withoutId(answer)
    // Beside the product's folder, so that both are on the same disk.
    const folder = join(dirname(product.data), 'limit')
    mkdirSync(join(folder, 'tmp'), { recursive: true })
    makeIdFolders(folder)
    const limit = await startLimit('create', { ...answer, kind, folder, common: commonFields, body, id })
    assertSame(first.path, masked, withoutId(await ask(limit.url, first)).masked)
    return limit
  },
})

export const creations: readonly Exchange[] = [
  { ...creation('link'), name: 'create-link', what: 'create a link, durably' },
  { ...creation('paste'), name: 'create-paste', what: 'create a paste of 4 KB, durably' },
]
