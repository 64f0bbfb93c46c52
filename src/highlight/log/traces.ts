/**
 * A line of a stack trace that says where: of Java, .NET and JavaScript (`at …`), Python (`File "…"`), Ruby (`from …`,
 * `a.rb:1:in …`), PHP and debuggers (`#0 …`), Rust (`0: …`), Go (`a.go:1 +0x…`) and Linux (`f+0x1/0x2`).
 */
const frame =
  /^(?:\s+(?:at |\.{3} \d+ |File "|from |\d{1,4}: |Suppressed: |-{3} End |\S{1,300}\.go:\d|(?:\? )?[\w.]{1,150}\+0x[\da-f]{1,8}\/0x)|#\d{1,4} (?: *\w+ \S|0x|\{main\}|\[internal function\]|[^()]{1,200}\(\d{1,7}\): )|\S{1,200}:\d{1,7}:in [`'])/

/** A line that goes on with the trace of the line before, and says what. */
const goesOn =
  /^(?:Caused by: |Suppressed: |Stack trace:|stack backtrace:|Backtrace:|Call Trace:|--- End |---> |During handling of the above|The above exception was|goroutine \d+ \[|created by |exit status \d|(?:DETAIL|HINT|STATEMENT|CONTEXT|QUERY): )/

/** The first line of a trace: it belongs to an error before it, and is one where there is none. */
const begins =
  /^(?:Traceback \(most recent call last\)|BUG: |Oops: |Exception in thread |Unhandled [eE]xception|thread '[^']{0,100}' panicked at |[\w$.:\\ ]{0,150}?(?:Error|Exception)(?=[:(]|\s{2}|\s?$))/

const panics = /^(?:panic: |fatal error: |runtime: |SIG[A-Z]{3,6}: )/
const functionOfGo = /^[\w./*()[\]{},$-]{1,200}\(.*\)?$/

export type TraceLine = 'frame' | 'on' | 'begin' | 'panic'

/** What a line is of a stack trace, if anything. @param head its first characters */
export const traceLineOf = (head: string): TraceLine | undefined => {
  const first = head.charCodeAt(0)
  const isIndented = first === 0x20 || first === 0x09
  if (frame.test(head)) return 'frame'
  if (isIndented) return undefined
  if (goesOn.test(head)) return 'on'
  if (panics.test(head)) return 'panic'
  return begins.test(head) ? 'begin' : undefined
}

/** What PostgreSQL says of the error before, each in a line with the same time. */
export const isOfStatement = (behind: string) =>
  /^(?:\[\d{1,8}\](?:: \[\d{1,8}-\d{1,8}\])? )?(?:\S{1,80} )?(?:DETAIL|HINT|STATEMENT|CONTEXT|QUERY|LOCATION): {2}/.test(
    behind,
  )

/** True for a function in a trace of Go, whose place is in the next line. */
export const isFunctionOfGo = (head: string) => functionOfGo.test(head)

/** True for a line after which functions of Go follow. */
export const isGoroutine = (head: string) => /^goroutine \d+ \[/.test(head)
