/** Characters that control a terminal or hide others: Cc, which includes DEL and C1, and Cf. */
const controls = /[\p{Cc}\p{Cf}]+/gu

/** A text in one line that is safe for a terminal. */
export const withoutControls = (text: string) => text.replace(controls, ' ')

/** Characters above U+FFFF become two escapes. */
const escaped = (text: string) =>
  text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** JSON in one line with control characters escaped: `JSON.stringify` leaves DEL, C1 and Cf. */
export const jsonLine = (value: unknown) => JSON.stringify(value).replace(controls, escaped)
