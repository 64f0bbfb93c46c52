const mebibyte = 1024 ** 2

/** Limits for highlighting. A child takes 65 MB; with ten grammars 110, with all of them 700. */
export const highlightingLimits = {
  waitMs: 2000,
  runMs: 1800,
  stuckMs: 60_000,
  idleMs: { quick: 60_000, slow: 10_000 },
  maxChars: mebibyte,
  // One grammar with everything it embeds may need 250 MB more.
  maxChildBytes: { quick: 192 * mebibyte, slow: 128 * mebibyte },
}
