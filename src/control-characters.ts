/** Characters that a terminal may obey or that hide others: Cc with DEL and the C1 controls, and Cf. */
const controls = /[\p{Cc}\p{Cf}]+/gu

/** A text fit for a terminal, in one line. */
export const withoutControls = (text: string) => text.replace(controls, ' ')

/** Beyond U+FFFF a character is written as two. */
const escaped = (text: string) =>
  text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** JSON in one line in which control characters are escaped: `JSON.stringify` leaves DEL, C1 and Cf as they are. */
export const jsonLine = (value: unknown) => JSON.stringify(value).replace(controls, escaped)
