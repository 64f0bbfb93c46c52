import { type Beginning, shareOf } from './beginning.ts'

/** Sections that only units of systemd have. */
const isUnit = (line: string) =>
  /^\[(?:Unit|Service|Install|Socket|Timer|Mount|Automount|Swap|Path|Slice|Scope)\]\s*$/.test(line)
const isSetting = (line: string) => /^[A-Z][A-Za-z0-9]*=|^[#;]|^\s/.test(line)

/** A unit of systemd, or a part with a section of it. */
export const languageOfUnit = ({ lines }: Beginning) => {
  const sections = lines.filter((line) => line.startsWith('['))
  if (sections.length === 0 || !sections.every(isUnit)) return
  return shareOf(lines, (line) => isUnit(line) || isSetting(line)) >= 0.9 ? 'systemd' : undefined
}
