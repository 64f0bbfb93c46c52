import type { Lines } from '../lines.ts'
import type { Token } from '../render.ts'
import type { Job } from './protocol.ts'

export type TokenLines = readonly (readonly Token[])[]

export type RenderTools = {
  /** The lines of a text as tokens. Calls `onReady` when the grammar is loaded. */
  tokensOf: (text: string, language: string, onReady?: () => void) => Promise<TokenLines>
  /** The short class name of a colour in the merged theme; empty for ordinary text. */
  classOfColour: (colour: string) => string
}

/** Renders a text in the child. `onStart` is called when the work itself begins: its deadline counts from there. */
export type Renderer = (job: Job, tools: RenderTools, onStart: () => void) => Lines | Promise<Lines>
