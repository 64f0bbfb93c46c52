import type { ArchiveFile } from '../archive.ts'

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
export const packCpio = (files: readonly ArchiveFile[], mtime: Date) => {
  const members = files.flatMap((file, at) =>
    member({ ...file, name: `./${file.name}`, mode: regularFile | file.mode }, at + 1, mtime),
  )
  const end = member({ name: 'TRAILER!!!', mode: 0, bytes: new Uint8Array() }, 0, new Date(0))
  return Buffer.concat([...members, ...end])
}
