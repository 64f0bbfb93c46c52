import { type Finding, findSecrets } from '../../src/mask/mask.ts'
import type { Case } from './corpus.ts'

/** True if the whole secret of a case would be masked. */
export const isFoundIn = ({ from, value }: Case, { from: start, length }: Finding) =>
  start <= from && start + length >= from + value.length

/** How many of the secrets are found, and which are not. */
export const recallOf = (corpus: readonly Case[]) => {
  const missed = corpus.filter((one) => !findSecrets(one.text).some((finding) => isFoundIn(one, finding)))
  return { missed, share: 1 - missed.length / corpus.length }
}
