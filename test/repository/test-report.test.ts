import { describe, expect, test } from 'bun:test'
import { closingLine, failures, slowestTests } from '../../scripts/test-report.ts'

const output = `
test/a.test.ts:
(pass) a rule > holds [12.34ms]
(pass) a rule > is quick
(skip) a rule > needs a program

test/b.test.ts:
error: expected 1
(fail) another > adds [0.10ms]
(fail) another > takes long [1200.00ms]
  ^ this test timed out after 1000ms.
✓ in colour [30.00ms]

1 tests skipped:
(skip) a rule > needs a program


2 tests failed:
(fail) another > adds [0.10ms]
(fail) another > takes long [1200.00ms]

 3 pass
 1 skip
 2 fail
 9 expect() calls
Ran 6 tests across 2 files. [1.30s]
`

describe('the report of a test run', () => {
  test('closes with how many passed, failed and were skipped', () => {
    expect(closingLine(output)).toBe('3 passed, 2 failed, 1 skipped')
    expect(closingLine(output.replace(' 1 skip\n', ''))).toBe('3 passed, 2 failed, 0 skipped')
  })

  test('says so when the run broke off', () => {
    expect(closingLine(output.replace(/Ran .*/, ''))).toBe('the run ended before its summary')
  })

  test('lists the slowest tests once each, slowest first, with their files', () => {
    expect(slowestTests(output, 2)).toEqual([
      expect.stringContaining('2 slowest'),
      '   1200  test/b.test.ts  another > takes long',
      '     30  test/b.test.ts  in colour',
      '',
    ])
    expect(slowestTests(output, 9)).toHaveLength(6)
    expect(slowestTests(output, 0)).toEqual([])
  })

  test('repeats what each failed test wrote, below its file', () => {
    expect(failures(output)).toEqual([
      '',
      'test/b.test.ts:',
      'error: expected 1',
      '(fail) another > adds [0.10ms]',
      '',
      'test/b.test.ts:',
      '(fail) another > takes long [1200.00ms]',
    ])
    const long = output.replace('error: expected 1', 'one more\n'.repeat(1000).trim())
    expect(failures(long).length).toBeLessThan(80)
  })
})
