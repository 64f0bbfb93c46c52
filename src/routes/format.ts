const dateFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** A moment for a page: machine-readable and for people. @param time milliseconds since the epoch */
export const dateFacts = (time: number) => ({
  createdAt: new Date(time).toISOString(),
  createdAtText: `${dateFormat.format(time)} UTC`,
})

/** `812 bytes`, `1.2 KiB`, `3.4 MiB` */
export const formatSize = (bytes: number) => {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1)} KiB`
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`
}

/** `Never followed`, `Followed once`, `Followed 1,234 times` */
export const formatVisits = (visits: number) => {
  if (visits === 0) return 'Never followed'
  return visits === 1 ? 'Followed once' : `Followed ${visits.toLocaleString('en')} times`
}

export const formatLines = (lines: number) => (lines === 1 ? '1 line' : `${lines.toLocaleString('en')} lines`)
