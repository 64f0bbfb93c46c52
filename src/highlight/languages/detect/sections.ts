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

const isComment = (line: string) => /^\s*[#;]/.test(line)
const isSection = (line: string) => /^\[[^\]]{1,99}\]\s*$/.test(line)
const isPair = (line: string) => /^\s*[\w.*@:/-][\w.*@:/ -]{0,80}=/.test(line)
/** What TOML would have in quotation marks. */
const isBare = (line: string) => isPair(line) && !/=\s*(?:$|["'[{\d+-]|true\b|false\b|inf\b|nan\b)/.test(line)

/** INI: sections of names with values. Some values are none in TOML. */
export const languageOfIni = ({ lines }: Beginning) => {
  const [first = ''] = lines.filter((line) => !isComment(line))
  if (!isSection(first) || !lines.some(isBare)) return
  const isIts = (line: string) => isComment(line) || isSection(line) || isPair(line) || /^\s/.test(line)
  return lines.every(isIts) ? 'ini' : undefined
}

/** `/dev/sda1 / ext4 defaults 0 1` */
const isMount = (line: string) =>
  /^\S{1,200}\s{1,99}(?:\/\S{0,200}|none|swap)\s{1,99}[a-z][\w.,]{1,20}\s{1,99}\S{1,200}(?:\s{1,99}[01]\s{1,9}[012])?\s{0,9}$/.test(
    line,
  )
/** `/ip address` and `add address=…` of RouterOS. */
const isMenu = (line: string) => /^\/[a-z][a-z0-9 -]{1,60}$/.test(line)
const isCommand = (line: string) => /^(?:add|set|remove|disable|enable|print) |^\s{4}/.test(line)

/** Settings with a strict form for which there is no grammar: `fstab`, and what a router of MikroTik exports. */
export const languageOfSettings = ({ lines }: Beginning) => {
  const own = lines.filter((line) => !isComment(line))
  if (own.length === 0) return
  if (own.every(isMount)) return 'text'
  return own.some(isMenu) &&
    own.some(isCommand) &&
    shareOf(own, (line) => isMenu(line) || isCommand(line)) >= 0.9
    ? 'text'
    : undefined
}
