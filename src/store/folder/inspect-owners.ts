import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { indexProblem } from '../derived/index-record.ts'
import { indexStateName, stateProblem } from '../derived/index-state.ts'
import type { CollectionRules } from './inspect.ts'
import { foreign, type Inspected, inspectFile, ownersName } from './inspect-file.ts'
import { exists } from './presence.ts'

const ownerFolder = /^[0-9a-f]{16}$/

async function* inspectOwner(folder: string, path: string, lists: readonly string[]) {
  for (const name of (await readdir(join(folder, path))).sort()) {
    const file = `${path}/${name}`
    const inspected = lists.includes(name) ? await inspectFile(folder, file, indexProblem) : foreign(file)
    if (inspected) yield inspected
  }
}

/** Every file of the index of what each key made, if there is one. A damaged one is made anew by the server. */
export async function* inspectOwners(folder: string, rules: CollectionRules): AsyncGenerator<Inspected> {
  if (!(await exists(join(folder, ownersName)))) return
  for (const name of (await readdir(join(folder, ownersName))).sort()) {
    const path = `${ownersName}/${name}`
    if (name === indexStateName) {
      const inspected = await inspectFile(folder, path, stateProblem)
      if (inspected) yield inspected
    } else if (ownerFolder.test(name)) yield* inspectOwner(folder, path, Object.keys(rules))
    else yield foreign(path)
  }
}
