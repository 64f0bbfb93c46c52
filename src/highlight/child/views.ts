import type { View } from '../show.ts'
import { renderFormatted } from '../views/formatted.ts'
import { renderPreview } from '../views/preview.ts'
import { renderTable } from '../views/table.ts'
import type { Renderer } from './renderer.ts'

/** What makes each view. */
export const viewRenderers: Readonly<Record<View, Renderer>> = {
  preview: renderPreview,
  table: renderTable,
  formatted: renderFormatted,
}
