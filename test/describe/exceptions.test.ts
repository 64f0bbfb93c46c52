import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { describeAt } from '../support/description.ts'
import { repository } from '../support/process.ts'

type Config = { operations: { 'include-operation-id'?: string | string[]; 'include-path'?: string[] }[] }

test('what no schema can say is of operations that there are, and stands in docs/api.md', async () => {
  const { paths } = await describeAt()
  const ids = Object.values(paths).flatMap(({ servers: _, ...item }) =>
    Object.values(item).map(({ operationId }) => operationId),
  )
  const read = (file: string) => Bun.file(join(repository, file)).text()
  const { operations } = Bun.TOML.parse(await read('scripts/schemathesis/schemathesis.toml')) as Config
  const named = operations.flatMap((one) => one['include-operation-id'] ?? [])
  const documented = (await read('docs/api.md')).split('## Generated clients')[1] ?? ''

  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((id) => !ids.includes(id) || !documented.includes(`\`${id}\``))).toEqual([])
  expect(operations.flatMap((one) => one['include-path'] ?? []).filter((path) => !paths[path])).toEqual([])
})
