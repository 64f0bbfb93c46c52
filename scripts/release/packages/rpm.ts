import { createHash } from 'node:crypto'
import { type ArchiveFile, gzip } from '../archive.ts'
import {
  firstScriptOf,
  oldestLibc,
  type PackageFile,
  type PackageParts,
  packageFiles,
  packageVersion,
  scriptOf,
} from './contents.ts'

const padding = (length: number) => Buffer.alloc((4 - (length % 4)) % 4)
const regularFile = 0o100000

/** One file in the form "newc": 13 numbers of 8 hexadecimal digits, the name, the content. */
const member = ({ name, mode, bytes }: ArchiveFile, inode: number, mtime: Date) => {
  const path = `${name}\0`
  const [seconds, uid, gid, links, major, minor] = [mtime.getTime() / 1000, 0, 0, 1, 0, 0]
  const numbers = [
    ...[inode, mode, uid, gid, links, seconds, bytes.length],
    ...[major, minor, major, minor, Buffer.byteLength(path), 0],
  ]
  const header = `070701${numbers.map((number) => number.toString(16).padStart(8, '0')).join('')}${path}`
  return [Buffer.from(header), padding(Buffer.byteLength(header)), bytes, padding(bytes.length)]
}

/** An archive of cpio(1), the payload of an .rpm. */
const packCpio = (files: readonly ArchiveFile[], mtime: Date) => {
  const members = files.flatMap((file, at) =>
    member({ ...file, name: `./${file.name}`, mode: regularFile | file.mode }, at + 1, mtime),
  )
  const end = member({ name: 'TRAILER!!!', mode: 0, bytes: new Uint8Array() }, 0, new Date(0))
  return Buffer.concat([...members, ...end])
}

/** A value of a header: the number of its type by rpm-format(7), its alignment in bytes, and how many values it holds. */
type HeaderEntry = { tag: number; type: number; width: number; count: number; content: Buffer }

const numbers =
  (type: number, width: number) =>
  (tag: number, ...values: number[]): HeaderEntry => {
    const content = Buffer.alloc(values.length * width)
    values.forEach((value, at) => {
      content.writeUIntBE(value, at * width, width)
    })
    return { tag, type, width, count: values.length, content }
  }
const texts =
  (type: number) =>
  (tag: number, ...values: string[]): HeaderEntry => {
    const content = Buffer.from(values.map((value) => `${value}\0`).join(''))
    return { tag, type, width: 1, count: values.length, content }
  }
const bytes = (tag: number, content: Buffer): HeaderEntry => ({
  ...{ tag, type: bytesType, width: 1 },
  ...{ count: content.length, content },
})
const [int16, int32] = [numbers(3, 2), numbers(4, 4)]
const [string, strings, i18n] = [texts(6), texts(8), texts(9)]
const [bytesType, entryBytes] = [7, 16]

const indexEntry = (tag: number, type: number, offset: number, count: number) => {
  const bytes = Buffer.alloc(entryBytes)
  bytes.writeUInt32BE(tag, 0)
  bytes.writeUInt32BE(type, 4)
  bytes.writeInt32BE(offset, 8)
  bytes.writeUInt32BE(count, 12)
  return bytes
}

/** A header of a package. `region` is the tag that stands around all others: what is inside can be signed. */
const packHeader = (region: 62 | 63, entries: readonly HeaderEntry[]) => {
  const sorted = entries.toSorted((a, b) => a.tag - b.tag)
  const store: Buffer[] = []
  let length = 0
  const add = (part: Buffer) => {
    store.push(part)
    length += part.length
  }
  const index = sorted.map((entry) => {
    add(Buffer.alloc((entry.width - (length % entry.width)) % entry.width))
    const at = indexEntry(entry.tag, entry.type, length, entry.count)
    add(entry.content)
    return at
  })
  // The region ends with an entry of its own, which points back to the beginning of the index.
  const first = indexEntry(region, bytesType, length, entryBytes)
  add(indexEntry(region, bytesType, -entryBytes * (index.length + 1), entryBytes))
  const start = Buffer.from('8eade80100000000', 'hex')
  const sizes = Buffer.alloc(8)
  sizes.writeUInt32BE(index.length + 1, 0)
  sizes.writeUInt32BE(length, 4)
  return Buffer.concat([start, sizes, first, ...index, ...store])
}

const release = '1'
const sha256 = 8
/** Flags of a dependency: less, equal; by a script; by rpm itself. */
const [less, equal, forScript, forRpm] = [2, 8, 1 << 9, 1 << 24]
/** Flags of a file: a setting that stays as it was changed. */
const settingThatStays = (1 << 0) | (1 << 4)

const digest = (algorithm: string, ...parts: Uint8Array[]) => {
  const hash = createHash(algorithm)
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/** What the header says of the files, in the order of the payload. */
const entriesOf = (files: readonly PackageFile[], madeAt: Date): HeaderEntry[] => {
  const all = (value: number) => files.map(() => value)
  const folderOf = ({ name }: PackageFile) => `/${name.slice(0, name.lastIndexOf('/') + 1)}`
  const folders = [...new Set(files.map(folderOf))]
  return [
    int32(1028, ...files.map(({ bytes }) => bytes.length)),
    int16(1030, ...files.map(({ mode }) => 0o100000 | mode)),
    int16(1033, ...all(0)),
    int32(1034, ...all(madeAt.getTime() / 1000)),
    strings(1035, ...files.map(({ bytes }) => digest('sha256', bytes))),
    strings(1036, ...files.map(() => '')),
    int32(1037, ...files.map(({ isSetting }) => (isSetting ? settingThatStays : 0))),
    strings(1039, ...files.map(() => 'root')),
    strings(1040, ...files.map(() => 'root')),
    int32(1045, ...all(0xffffffff)),
    int32(1095, ...all(1)),
    int32(1096, ...files.map((_, at) => at + 1)),
    strings(1097, ...files.map(() => '')),
    int32(1116, ...files.map((file) => folders.indexOf(folderOf(file)))),
    strings(1117, ...files.map(({ name }) => name.slice(name.lastIndexOf('/') + 1))),
    strings(1118, ...folders),
    int32(5011, sha256),
  ]
}

/** What has to be there, and how much an old rpm has to know to read this package. */
const requirements: readonly (readonly [name: string, flags: number, version: string])[] = [
  ['/bin/sh', forScript, ''],
  ['/usr/sbin/useradd', forScript, ''],
  [`libc.so.6(GLIBC_${oldestLibc})(64bit)`, 0, ''],
  ['rpmlib(CompressedFileNames)', forRpm | less | equal, '3.0.4-1'],
  ['rpmlib(FileDigests)', forRpm | less | equal, '4.6.0-1'],
  ['rpmlib(PayloadFilesHavePrefix)', forRpm | less | equal, '4.0-1'],
  ['rpmlib(TildeInVersions)', forRpm | less | equal, '4.10.0-1'],
]

const headerOf = (
  { name, version, summary, license, madeAt }: PackageParts,
  architecture: string,
  files: readonly PackageFile[],
  payload: Uint8Array,
) => {
  const own = packageVersion(version)
  const scripts = {
    1024: firstScriptOf('rpm-post'),
    1025: scriptOf('rpm-preun'),
    1026: scriptOf('rpm-postun'),
  }
  return packHeader(63, [
    strings(100, 'C'),
    string(1000, name),
    string(1001, own),
    string(1002, release),
    i18n(1004, summary),
    i18n(
      1005,
      `${summary}. A service of systemd keeps its data in /var/lib/${name} and reads /etc/${name}.env.`,
    ),
    int32(1006, madeAt.getTime() / 1000),
    string(1007, 'localhost'),
    int32(
      1009,
      files.reduce((sum, { bytes }) => sum + bytes.length, 0),
    ),
    string(1014, license),
    string(1021, 'linux'),
    string(1022, architecture),
    ...Object.entries(scripts).map(([tag, text]) => string(Number(tag), text)),
    ...[1086, 1087, 1088].map((tag) => string(tag, '/bin/sh')),
    ...entriesOf(files, madeAt),
    string(1044, `${name}-${own}-${release}.src.rpm`),
    strings(1047, name),
    int32(1112, equal),
    strings(1113, `${own}-${release}`),
    int32(1048, ...requirements.map(([, flags]) => flags)),
    strings(1049, ...requirements.map(([needed]) => needed)),
    strings(1050, ...requirements.map(([, , least]) => least)),
    string(1124, 'cpio'),
    string(1125, 'gzip'),
    string(1126, '9'),
    string(5062, 'utf-8'),
    strings(5092, digest('sha256', payload)),
    int32(5093, sha256),
  ])
}

/** The first 96 bytes: only `file` and ancient versions of rpm read them. */
const leadOf = (name: string) => {
  const lead = Buffer.alloc(96)
  lead.set(Buffer.from('edabeedb03000000', 'hex'))
  lead.writeUInt16BE(1, 8)
  lead.write(name.slice(0, 65), 10)
  lead.writeUInt16BE(1, 76)
  lead.writeUInt16BE(5, 78)
  return lead
}

/** A package for Fedora, openSUSE and what comes from them, without a signature. The same parts give the same bytes. */
export const packRpm = (parts: PackageParts, architecture: 'x86_64' | 'aarch64') => {
  const files = packageFiles(parts, 'site-functions')
  const cpio = packCpio(files, parts.madeAt)
  const payload = gzip(cpio)
  const header = headerOf(parts, architecture, files, payload)
  const sums = packHeader(62, [
    string(269, digest('sha1', header)),
    string(273, digest('sha256', header)),
    int32(1000, header.length + payload.length),
    bytes(1004, Buffer.from(digest('md5', header, payload), 'hex')),
    int32(1007, cpio.length),
  ])
  const lead = leadOf(`${parts.name}-${packageVersion(parts.version)}-${release}`)
  return Buffer.concat([lead, sums, Buffer.alloc((8 - (sums.length % 8)) % 8), header, payload])
}

/** How a package of this kind is named. */
export const rpmName = ({ name, version }: PackageParts, architecture: string) =>
  `${name}-${packageVersion(version)}-${release}.${architecture}.rpm`
