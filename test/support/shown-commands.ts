/** Blocks of a document in one language, in their order. */
export const blocksOf = (document: string, language: string) =>
  [...document.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, block = '']) => block,
  )

/** Commands of a block of `console`, with what each of them shows; a backslash continues a line. */
export const stepsOf = (block: string) =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [, command = '', output = ''] = /^((?:.*\\\n)*.*)\n?([\s\S]*)$/.exec(step.trimEnd()) ?? []
      return { command, output }
    })

/** Runs steps in their order, and takes the ids that they print for those that the document shows. */
export const createReplay = (
  documented: string,
  url: string,
  sh: (script: string) => { stdout: string; exitCode: number },
) => {
  const idShape = /(?<=\/(?:p|s|raw)\/|key=|"id":")[a-z0-9]{7,}/g
  const idsOf = (text: string) => [...text.matchAll(idShape)].map(([id]) => id)
  const withoutIds = (text: string) => text.replace(idShape, '<id>')
  const realId = new Map<string, string>()
  return {
    realId,
    /** What it printed and what it should have, ids aside. */
    play: ({ command, output }: { command: string; output: string }) => {
      const translated = command.replaceAll(documented, url).replace(idShape, (id) => realId.get(id) ?? id)
      const { stdout, exitCode } = sh(translated)
      const shown = output.replaceAll(documented, url)
      const ids = idsOf(stdout)
      const isSame = idsOf(shown).every((id, at) => (realId.get(id) ?? ids[at]) === ids[at])
      idsOf(shown).forEach((id, at) => {
        realId.set(id, ids[at] ?? '')
      })
      return { exitCode, isSame, given: withoutIds(stdout.trimEnd()), shown: withoutIds(shown) }
    },
  }
}
