/** One word of a command line that somebody will copy into a POSIX shell, in quotes where it needs them. */
export const shellWord = (text: string) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
