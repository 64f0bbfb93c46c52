import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository, temporaryFolder } from './process.ts'

/** What the compiler says of the manifests as objects of the API of Kubernetes: unknown, missing and mistyped fields. */
export const complaintsOf = (
  manifests: readonly (readonly [type: string, from: string, value: unknown])[],
) => {
  const project = temporaryFolder()
  const lines = manifests.map(
    ([type, from, value], at) =>
      `import type { ${type} as Type${at} } from ${JSON.stringify(join(repository, 'node_modules/kubernetes-types', from))}\n` +
      `export const manifest${at}: Required<Pick<Type${at}, 'apiVersion' | 'kind'>> & Type${at} = ${JSON.stringify(value)}\n`,
  )
  writeFileSync(join(project, 'manifests.ts'), lines.join(''))
  const options = { strict: true, noEmit: true, types: [], moduleResolution: 'bundler', module: 'ESNext' }
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['manifests.ts'] }),
  )
  const { stdout } = Bun.spawnSync(['node', 'node_modules/typescript-7/bin/tsc', '-p', project], {
    cwd: repository,
  })
  return stdout.toString()
}
