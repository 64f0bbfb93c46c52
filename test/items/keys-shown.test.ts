import { describe, expect, test } from 'bun:test'
import { createIds } from '../../src/items/ids.ts'
import { createKeys } from '../../src/services/keys.ts'
import { type KeyStore, openKeyStore } from '../../src/store/folder/key-file.ts'
import { newPath, refusalOf } from '../support/store.ts'

const ids = createIds((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
const keysOver = (store: KeyStore) => createKeys({ store, ids, now: () => 0 })
const unseen = async () => {
  throw new Error('nobody saw it')
}

describe('a key that is shown while it is made', () => {
  test('is not there before it was shown, and there after', async () => {
    const store = openKeyStore(newPath())
    const keys = keysOver(store)
    let shown = ''
    const made = await keys.add('laptop', {}, async (key) => {
      shown = key
      expect(await keys.list()).toEqual([])
    })
    expect(made).toBe(shown)
    expect(await keys.list()).toHaveLength(1)
  })

  test('is not made when it cannot be shown, nor is the first one', async () => {
    const store = openKeyStore(newPath())
    const keys = keysOver(store)
    await expect(keys.add('laptop', {}, unseen)).rejects.toThrow('nobody saw it')
    await expect(keys.addFirst(unseen)).rejects.toThrow('nobody saw it')
    expect(await store.read()).toBeUndefined()
    await keys.add('laptop')
    expect(await keys.list()).toHaveLength(1)
  })

  test('is not shown when its name is taken', async () => {
    const keys = keysOver(openKeyStore(newPath()))
    await keys.add('laptop')
    let shows = 0
    const show = async () => void shows++
    expect((await refusalOf(keys.add('laptop', {}, show))).kind).toBe('invalid')
    expect(shows).toBe(0)
  })

  test('is said not to work when it cannot be stored', async () => {
    const store = openKeyStore(newPath())
    const full: KeyStore = {
      ...store,
      update: async (change) => {
        await change([])
        throw new Error('no room')
      },
    }
    const { message } = await refusalOf(keysOver(full).add('laptop', {}, async () => {}))
    expect(message).toBe('The key that was shown was not made and will not work: no room')
    await expect(keysOver(full).add('laptop')).rejects.toThrow(/^no room$/)
  })
})
