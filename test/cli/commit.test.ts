import { describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commitOf, commitTimeOf } from '../../src/cli/server/commit.ts'
import { git } from '../support/git.ts'
import { temporaryFolder } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'

const newRepository = () => {
  const folder = temporaryFolder()
  const as = ['-c', 'user.name=A tester', '-c', 'user.email=tester@example.org']
  git(folder, 'init', '-q')
  writeFileSync(join(folder, 'file'), 'one\n')
  git(folder, 'add', 'file')
  git(folder, ...as, 'commit', '-q', '-m', 'A commit')
  return folder
}

describe.skipIf(!requireProgram('git', 'git'))('the commit that --version names', () => {
  test('is that of the folder, as seven digits', () => {
    const folder = newRepository()
    expect(commitOf(folder)).toBe(git(folder, 'rev-parse', 'HEAD').slice(0, 7))
    writeFileSync(join(folder, 'untracked'), 'new\n')
    expect(commitOf(folder)).toMatch(/^[0-9a-f]{7}$/)
  })

  test('has a time, which an executable of the same commit has too', () => {
    const folder = newRepository()
    expect(commitTimeOf(folder)).toBe(Number(git(folder, 'show', '-s', '--format=%ct', 'HEAD')) * 1000)
    expect(commitTimeOf(temporaryFolder())).toBe(0)
  })

  test('is marked where a tracked file was changed since', () => {
    const folder = newRepository()
    writeFileSync(join(folder, 'file'), 'two\n')
    expect(commitOf(folder)).toMatch(/^[0-9a-f]{7}-dirty$/)
  })

  test('does not take the name of a tag', () => {
    const folder = newRepository()
    git(folder, 'tag', 'v9')
    expect(commitOf(folder)).toMatch(/^[0-9a-f]{7}$/)
  })

  test('is what a file named REVISION says, where sources lie without their repository', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'REVISION'), '0123456789abcdef')
    expect(commitOf(folder)).toBe('0123456')
    writeFileSync(join(folder, 'REVISION'), '')
    expect(commitOf(folder)).toBe('unknown')
  })

  test('is unknown outside a repository, also inside that of somebody else', () => {
    expect(commitOf(temporaryFolder())).toBe('unknown')
    const inside = join(newRepository(), 'unpacked')
    mkdirSync(inside)
    expect(commitOf(inside)).toBe('unknown')
  })
})
