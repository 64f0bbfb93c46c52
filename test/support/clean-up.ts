import { afterAll, setDefaultTimeout } from 'bun:test'
import { discardFolders, endServers } from './process.ts'

// Far more than any test takes beside four busy loops: only a test that hangs meets it.
setDefaultTimeout(120_000)

// scripts/test.ts says so for the tests alone: what they start must end as it does elsewhere.
delete process.env.BUN_FEATURE_FLAG_NO_ORPHANS

afterAll(() => {
  endServers()
  discardFolders()
})
