import { createHash } from 'node:crypto'
import { type ArchiveFile, packTarGz } from '../archive.ts'
import {
  firstScriptOf,
  foldersOf,
  oldestLibc,
  type PackageParts,
  packageFiles,
  packageVersion,
  scriptOf,
} from './contents.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** The line before each file of an archive. */
const memberHeader = ({ name, bytes }: ArchiveFile, mtime: Date) =>
  [
    name.padEnd(16),
    String(mtime.getTime() / 1000).padEnd(12),
    '0     0     100644  ',
    String(bytes.length).padEnd(10),
    '`\n',
  ].join('')

/** An archive of ar(1) in its common form: names of 16 letters at most, contents of even length. */
const packAr = (files: readonly ArchiveFile[], mtime: Date) =>
  Buffer.concat(
    files.flatMap((file) => [
      encode(memberHeader(file, mtime)),
      file.bytes,
      encode(file.bytes.length % 2 ? '\n' : ''),
    ]),
  )

/** A package for Debian, Ubuntu and what comes from them. The same parts give the same bytes. */
export const packDeb = async (parts: PackageParts, architecture: 'amd64' | 'arm64') => {
  const { name, version, summary, madeAt } = parts
  const files = packageFiles(parts, 'vendor-completions')
  const folders = foldersOf(files).map((folder) => `./${folder}/`)
  const kilobytes = files.reduce((sum, { bytes }) => sum + Math.ceil(bytes.length / 1024), folders.length)
  const control = [
    `Package: ${name}`,
    `Version: ${packageVersion(version)}`,
    `Architecture: ${architecture}`,
    'Maintainer: The Shortcrust authors <authors@shortcrust.invalid>',
    `Installed-Size: ${kilobytes}`,
    `Depends: libc6 (>= ${oldestLibc}), init-system-helpers (>= 1.54~), passwd`,
    'Section: web',
    'Priority: optional',
    `Description: ${summary}`,
    ' A server for a LAN, and its command line. The package has a service of systemd',
    ' that keeps its data in /var/lib/shortcrust and reads /etc/shortcrust.env.',
    '',
  ]
  const sums = files
    .filter(({ isSetting }) => !isSetting)
    .map((file) => `${createHash('md5').update(file.bytes).digest('hex')}  ${file.name}\n`)
  const settings = files.filter(({ isSetting }) => isSetting).map((file) => `/${file.name}\n`)
  const member = (path: string, text: string, mode = 0o644) => ({
    name: `./${path}`,
    mode,
    bytes: encode(text),
  })
  const controlFiles = [
    member('conffiles', settings.join('')),
    member('control', control.join('\n')),
    member('md5sums', sums.join('')),
    member('postinst', firstScriptOf('deb-postinst'), 0o755),
    member('postrm', scriptOf('deb-postrm'), 0o755),
    member('prerm', scriptOf('deb-prerm'), 0o755),
  ]
  const whole = (members: readonly ArchiveFile[], above: readonly string[]) =>
    packTarGz(members, madeAt, ['./', ...above])
  const data = files.map((file) => ({ ...file, name: `./${file.name}` }))
  const members = [
    { name: 'debian-binary', mode: 0o644, bytes: encode('2.0\n') },
    { name: 'control.tar.gz', mode: 0o644, bytes: await whole(controlFiles, []) },
    { name: 'data.tar.gz', mode: 0o644, bytes: await whole(data, folders) },
  ]
  return Buffer.concat([encode('!<arch>\n'), packAr(members, madeAt)])
}
