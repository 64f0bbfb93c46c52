/** Texts of 64 KiB that are made to be slow. */
const size = 64 * 1024
const filled = (part: string) => part.repeat(Math.ceil(size / part.length)).slice(0, size)

/** By name. */
export const hostileTexts: Readonly<Record<string, string>> = {
  'one word': filled('a'),
  'digits alone': filled('1'),
  'brackets alone': filled('['),
  'braces alone': filled('{'),
  'quotation marks alone': filled('"'),
  'blanks alone': filled(' '),
  'empty lines': filled('\n'),
  'commas alone': filled(','),
  'stars alone': filled('*'),
  'half a modeline, again and again': filled('-*- vim:'),
  'halves of JSON': filled('{"a":['),
  'JSON lines that end in the middle': filled('{"a":1}\n{"a":'),
  'a list of numbers': `[${filled('1,').slice(0, size - 3)}1]`,
  'a list of numbers with a wrong end': `[${filled('1,').slice(0, size - 3)}x]`,
  'JSON lines with a wrong end': `${filled('{"a":1}\n').slice(0, size - 4)}x\n`,
  'comments before a list': `${filled('//\n').slice(0, size - 4)}\n[1]`,
  'lists with a comma at the end': `[${filled('[1,],').slice(0, size - 2)}]`,
  'nested lists': '['.repeat(size / 2) + ']'.repeat(size / 2),
  'cells with open quotation marks': filled('"a,\n'),
  'rows of one letter': filled('a,b\r\n'),
  'halves of escape sequences': filled('\x1b['),
  'halves of times': filled('[ 2024-01-01T'),
  'halves of hunks': filled('@@ -1\n--- \n+++ \n'),
  'lines of tags': filled('<div a\n<p x\n'),
  'rows of Markdown': filled('| - |\n'),
  'halves of a mount': filled('/dev/a / ext4 x 0 \n'),
  'long lines of words': filled(`${'x '.repeat(250)}\n`),
  'letters beyond ASCII': filled('é'),
  emoji: filled('😀'),
}
