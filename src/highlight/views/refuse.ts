import type { Job } from '../child/protocol.ts'
import type { RenderTools } from '../child/renderer.ts'
import { type Lines, renderPlain, type Trouble } from '../lines.ts'
import { renderTokens } from '../render.ts'

/** Colours of longer texts may take too long, after the attempt to show the view. */
const maxColoured = 64 * 1024

/** The text as it is, because a view cannot show it. */
export const refuse = async (
  { text, language }: Job,
  { tokensOf, classOfColour }: RenderTools,
  refused: Trouble,
): Promise<Lines> => {
  const lines =
    text.length > maxColoured
      ? await renderPlain(text, 'text')
      : renderTokens(text, await tokensOf(text, language), classOfColour)
  return { ...lines, refused }
}
