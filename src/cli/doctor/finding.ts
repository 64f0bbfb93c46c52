/** What `doctor` found out about one thing. */
export type Diagnosis = {
  about: string
  /** `doubtful`: it works, but something may go wrong later. */
  state: 'good' | 'doubtful' | 'bad'
  says: string
  /** What to do about it, as an imperative; for all but good ones. */
  advice?: string
}

export const good = (about: string, says: string): Diagnosis => ({ about, state: 'good', says })
export const doubtful = (about: string, says: string, advice: string): Diagnosis => ({
  ...{ about, state: 'doubtful', says, advice },
})
export const bad = (about: string, says: string, advice: string): Diagnosis => ({
  ...{ about, state: 'bad', says, advice },
})
