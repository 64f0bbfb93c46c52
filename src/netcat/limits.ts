const mebibyte = 1024 ** 2

/** Bounds of what senders may use. */
export const netcatLimits = {
  /** Texts that are received at once. */
  senders: 50,
  /** Of these, from one address (IPv6: one network). */
  sendersPerAddress: 10,
  /** Refused senders that still get their line. Further ones are cut off. */
  refused: 50,
  /** Memory for all texts together that are being received. */
  textBytes: 8 * mebibyte,
  /** A slow command may take so long until it prints something. */
  firstByteMs: 30_000,
  /** So much silence ends a text: most versions of netcat do not close their half. */
  silenceMs: 1000,
  wholeTextMs: 60_000,
  /**
   * A connection stays open for so long after its answer. Closing it while bytes arrive would reset it, and the sender
   * might lose the answer. Until then, so many bytes are read and dropped.
   */
  lingerMs: 1000,
  droppedBytes: mebibyte,
}
export type NetcatLimits = typeof netcatLimits
