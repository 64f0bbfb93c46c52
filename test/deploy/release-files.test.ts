import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fillIn, writeDeployFiles } from '../../scripts/release/deploy-files.ts'
import { targets } from '../../scripts/release/targets.ts'
import { deployFiles, published, read } from '../support/deploy.ts'
import { repository, temporaryFolder } from '../support/process.ts'

/** The files in folders of their own, which a release writes. */
const written = deployFiles.filter((path) => /^deploy\/\w+\//.test(path))

describe('the files of deploy/ that a release writes', () => {
  test('have nothing left to fill in when address and image are given', () => {
    const folder = temporaryFolder()
    writeDeployFiles(folder, published)
    expect(written.length).toBeGreaterThan(13)
    for (const path of written) {
      const text = readFileSync(join(folder, path), 'utf8').replace(/^ *(#|<!--).*$/gm, '')
      expect(
        text.match(/@sha256:[a-z]|example\.org\/shortcrust|registry\.example\.org|localhost\//g),
        path,
      ).toBe(null)
    }
    const icon = join(folder, 'deploy/icon.svg')
    expect(readFileSync(icon, 'utf8')).toBe(read('views/icon.svg'))
    const [picture, source] = [folder, repository].map((root) =>
      readFileSync(join(root, 'deploy/unraid/icon.png')),
    )
    expect(source?.equals(picture ?? Buffer.of())).toBe(true)
    expect(readFileSync(join(folder, 'deploy/umbrel/data/.gitkeep'), 'utf8')).toBe('')
  })

  test('have the sums without them, and keep the examples', () => {
    const text = fillIn(read('deploy/homebrew/shortcrust.rb'), {
      sums: published.sums,
      address: undefined,
      image: undefined,
    })
    expect(text.match(/sha256 "[0-9a-f]{64}"/g)).toHaveLength(4)
    expect(text).toContain('homepage "https://example.org/shortcrust"\n')
  })

  test('are refused without the archive that one of them needs', () => {
    const none = { sums: new Map(), address: undefined, image: undefined }
    expect(() => fillIn(read('deploy/aur/PKGBUILD'), none)).toThrow('no sum of shortcrust-')
  })

  test('name targets that a release has', () => {
    const named = written.flatMap((path) => read(path).match(/(?<=@sha256:)[a-z][\w-]+(?=@)/g) ?? [])
    const names = targets.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining([...new Set(named)]))
    expect(new Set(named).size).toBe(4)
  })
})
