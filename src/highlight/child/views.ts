import type { View } from '../show.ts'
import type { Renderer } from './renderer.ts'

/** What makes each view, loaded when it is first asked for. */
const renderers: Readonly<Record<View, () => Promise<Renderer>>> = {
  preview: async () => (await import('../views/preview.ts')).renderPreview,
  table: async () => (await import('../views/table.ts')).renderTable,
  formatted: async () => (await import('../views/formatted.ts')).renderFormatted,
}

/** What makes a view. */
export const viewRenderer = (view: View): Promise<Renderer> => renderers[view]()
