import { eachMark } from './marks.ts'

/** Counts of known marks: one number for each, and their places in the order they were met. */
export type Evidence = { weights: Float32Array; met: Uint16Array; size: number }

/** A table of hashes with open addresses, which needs no object per mark. */
const createPlaces = (marks: Int32Array) => {
  const mask = 2 ** Math.ceil(Math.log2(marks.length * 4)) - 1
  const [keys, places] = [new Int32Array(mask + 1), new Int16Array(mask + 1).fill(-1)]
  for (const [place, mark] of marks.entries()) {
    let at = mark & mask
    while (places[at] !== -1) at = (at + 1) & mask
    keys[at] = mark
    places[at] = place
  }
  return (mark: number) => {
    for (let at = mark & mask; ; at = (at + 1) & mask) {
      const place = places[at] as number
      if (place === -1 || keys[at] === mark) return place
    }
  }
}

/** Counts known marks. Each is damped by the logarithm, and all together have the length 1. */
export const createReader = (marks: Int32Array) => {
  const placeOf = createPlaces(marks)
  const weights = new Float32Array(marks.length)
  const met = new Uint16Array(marks.length)
  return (text: string): Evidence => {
    weights.fill(0)
    let size = 0
    eachMark(text, (mark) => {
      const place = placeOf(mark)
      if (place === -1) return
      if (weights[place] === 0) met[size++] = place
      weights[place] = (weights[place] as number) + 1
    })
    let squares = 0
    for (let at = 0; at < size; at++) {
      const place = met[at] as number
      const weight = Math.log2(1 + (weights[place] as number))
      weights[place] = weight
      squares += weight * weight
    }
    const scale = 1 / Math.sqrt(squares || 1)
    for (let at = 0; at < size; at++) {
      const place = met[at] as number
      weights[place] = (weights[place] as number) * scale
    }
    return { weights, met, size }
  }
}
