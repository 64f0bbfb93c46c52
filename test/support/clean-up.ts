import { afterAll, setDefaultTimeout } from 'bun:test'
import { discardFolders, endServers } from './process.ts'

// Far more than any test takes beside four busy loops: only a test that hangs meets it.
setDefaultTimeout(120_000)

afterAll(() => {
  endServers()
  discardFolders()
})
