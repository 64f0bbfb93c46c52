import { type Call, parseTrace } from '../../test/support/strace.ts'

/** A file or folder, whatever it is called by then. */
export type Place = {
  number: number
  /** Where it was last, relative to the recorded disk; for what was renamed into place, there. */
  path: string
  /** The entries of a folder, as running programs see them. */
  entries: Map<string, Place> | undefined
}

/** One change, to a folder or to a file; times are lines of the trace. */
export type Change = { place: Place; began: number; ended: number } & (
  | { what: 'entry'; name: string; node?: Place | undefined; from?: { place: Place; name: string } }
  | { what: 'bytes'; at: number; bytes: Buffer }
  | { what: 'size'; size: number }
)

/** An fsync that succeeded. `site` says what of, so that all of one kind can be forgotten. */
export type Sync = { place: Place; began: number; ended: number; site: string }

/** What the clients knew, as JSON, from a line of the trace on. */
type Noted = { at: number; text: string }

export type Trace = { root: Place; changes: Change[]; syncs: Sync[]; notes: Noted[] }

/** The calls that change files. */
export const changingCalls =
  'openat,write,pwrite64,rename,renameat,renameat2,link,unlink,unlinkat,rmdir,mkdir,mkdirat,ftruncate,fsync,fdatasync'

/** With those that would change them unseen. */
export const tracedCalls = `${changingCalls},open,creat,writev,pwritev,pwritev2,linkat,symlink,symlinkat,truncate,fallocate,copy_file_range,sendfile,mmap,io_uring_setup`

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', v: '\v', f: '\f' }

/** What stands between the first quote and the last: of a write, its bytes. */
const bytesIn = (args: string) => {
  const text = args.slice(args.indexOf('"') + 1, args.lastIndexOf('"'))
  const plain = text.replace(/\\([0-7]{1,3}|.)/g, (_, code: string) =>
    /[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code),
  )
  return Buffer.from(plain, 'latin1')
}

/** Names that do not tell one document from another, nor a paste from a link. */
const shapeOf = (path: string) =>
  path
    .replace(/\/(?:pastes|links)\b/, '/items')
    .replace(/\/[a-z0-9]{2}(?=\/|$)/, '/xx')
    .replace(/(?<=xx\/)[^/.]+(?=\.(json|gone)$)/, '*')
    .replace(/(?<=xx\/)[^/.]+\.\d+(?=\.json$)/, '*.n')
    .replace(/^data$/, 'the data folder')
    .replace(/^data\//, '')

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

type Times = Pick<Change, 'began' | 'ended'>
const timesOf = ({ began, ended }: Call): Times => ({ began, ended })

/** The files of a folder as running programs see them, and the changes that made them so. Paths are relative to it. */
const createTree = () => {
  let made = 0
  const newPlace = (path: string, isFolder: boolean): Place => ({
    number: made++,
    path,
    entries: isFolder ? new Map() : undefined,
  })
  const root = newPlace('', true)
  const changes: Change[] = []
  const sizes = new Map<Place, number>()
  /** What happened in a folder last. */
  const lastIn = new Map<Place, string>()

  const find = (path: string): Place | undefined => {
    let place: Place | undefined = root
    for (const name of path.split('/').filter(Boolean)) place = place?.entries?.get(name)
    return place
  }
  const folderAbove = (path: string) => {
    const folder = find(folderOf(path))
    if (!folder?.entries) throw new Error(`the trace knows no folder of ${path}`)
    return folder as Place & { entries: Map<string, Place> }
  }

  return {
    root,
    changes,
    find,
    lastIn: (place: Place) => lastIn.get(place) ?? 'unchanged',
    add: (path: string, isFolder: boolean, times: Times) => {
      const [folder, node] = [folderAbove(path), newPlace(path, isFolder)]
      folder.entries.set(nameOf(path), node)
      changes.push({ what: 'entry', place: folder, name: nameOf(path), node, ...times })
      lastIn.set(folder, isFolder ? 'made a folder' : `made ${shapeOf(path)}`)
    },
    remove: (path: string, times: Times) => {
      const folder = folderAbove(path)
      folder.entries.delete(nameOf(path))
      changes.push({ what: 'entry', place: folder, name: nameOf(path), ...times })
      lastIn.set(folder, `removed ${shapeOf(path)}`)
    },
    move: (from: string, to: string, times: Times) => {
      const [source, target, node] = [folderAbove(from), folderAbove(to), find(from)]
      if (!node) throw new Error(`the trace knows no ${from}`)
      source.entries.delete(nameOf(from))
      target.entries.set(nameOf(to), node)
      node.path = to
      const origin = { place: source, name: nameOf(from) }
      changes.push({ what: 'entry', place: target, name: nameOf(to), node, from: origin, ...times })
      lastIn.set(target, `renamed ${shapeOf(to)}`)
    },
    /** @param at the end where it is left out */
    write: (place: Place, bytes: Buffer, times: Times, at = sizes.get(place) ?? 0) => {
      changes.push({ what: 'bytes', place, at, bytes, ...times })
      sizes.set(place, Math.max(sizes.get(place) ?? 0, at + bytes.length))
    },
    resize: (place: Place, size: number, times: Times) => {
      changes.push({ what: 'size', place, size, ...times })
      sizes.set(place, size)
    },
  }
}
type Tree = ReturnType<typeof createTree>

type Subject = {
  tree: Tree
  syncs: Sync[]
  /** What the call is of, where it is not missing: what was removed while it is open leads nowhere. */
  place: Place | undefined
  path: string
  /** Where a rename goes. */
  target: string
  call: Call
}

const lastNumberIn = (args: string) => Number(args.slice(args.lastIndexOf(' ')))
/** What was written; of a call that was killed, all of it. */
const writtenBy = ({ args, result }: Call) =>
  bytesIn(args).subarray(0, result ? Number.parseInt(result, 10) : undefined)

const sync = ({ tree, syncs, place, call: { began, ended, result } }: Subject) => {
  if (place && result !== '') syncs.push({ place, began, ended, site: tree.lastIn(place) })
}
const remove = ({ tree, path, call }: Subject) => tree.remove(path, timesOf(call))

/** What each call does. */
const effects: Readonly<Record<string, (subject: Subject) => void>> = {
  openat: ({ tree, place, path, call }) => {
    if (!place && call.args.includes('O_CREAT')) tree.add(path, false, timesOf(call))
    if (place && call.args.includes('O_TRUNC')) tree.resize(place, 0, timesOf(call))
  },
  mkdir: ({ tree, path, call }) => tree.add(path, true, timesOf(call)),
  unlink: remove,
  rmdir: remove,
  rename: ({ tree, path, target, call }) => tree.move(path, target, timesOf(call)),
  write: ({ tree, place, call }) => place && tree.write(place, writtenBy(call), timesOf(call)),
  pwrite64: ({ tree, place, call }) =>
    place && tree.write(place, writtenBy(call), timesOf(call), lastNumberIn(call.args)),
  ftruncate: ({ tree, place, call }) => place && tree.resize(place, lastNumberIn(call.args), timesOf(call)),
  fsync: sync,
  fdatasync: sync,
  mmap: ({ path, call: { args } }) => {
    // The memory that SQLite shares beside a log may hold anything after a power cut.
    if (/MAP_SHARED/.test(args) && /PROT_WRITE/.test(args) && !path.endsWith('-shm'))
      throw new Error(`${path} is written through memory, which no trace shows`)
  },
}

/** A file has the name of its last place, which is known at the end of the trace. */
const withSite = (sync: Sync): Sync => {
  const where = shapeOf(sync.place.path) || 'the disk'
  return { ...sync, site: sync.place.entries ? `${where}, ${sync.site}` : `bytes of ${where}` }
}

/**
 * Reads what programs did to the files of one folder.
 * @param text of `strace -f -y`, with whole strings
 * @param disk the folder
 * @param ledger the file that the load writes its notes to
 * @throws for what is not understood: a change that was missed would make every finding worthless
 */
export const readTrace = (text: string, disk: string, ledger: string): Trace => {
  const tree = createTree()
  const [syncs, notes]: [Sync[], Noted[]] = [[], []]
  /** Folders made in one that another thread was just making: strace may tell of either first. */
  const early: Call[] = []

  const readCall = (call: Call) => {
    const { name, args, result, began } = call
    if (result.startsWith('-')) return
    const [, opened] = /^\d+<([^>]*)>/.exec(args) ?? []
    if (name === 'write' && opened === ledger) notes.push({ at: began, text: bytesIn(args).toString() })
    const named = [...args.slice(0, 2000).matchAll(/"([^"]*)"/g)].map(([, path = '']) => path)
    const [path = '', target = ''] = opened === undefined ? named : [opened]
    if (path !== disk && !path.startsWith(`${disk}/`)) return
    const effect = effects[name]
    if (!effect) throw new Error(`the trace has a call that is not understood: ${name}(${args.slice(0, 300)}`)
    const [own, other] = [path.slice(disk.length + 1), target.slice(disk.length + 1)]
    if (name === 'mkdir' && !tree.find(folderOf(own))) early.push(call)
    else effect({ tree, syncs, place: tree.find(own), path: own, target: other, call })
    if (name === 'mkdir' && tree.find(own)) early.splice(0).forEach(readCall)
  }

  // Of a call that was killed, only the beginning is known; it has most likely been done.
  const known = text.replaceAll(/^(\d+ +\w+\(.*)\) += \?.*$/gm, '$1 <unfinished ...>')
  // In the order in which they ended: one that began earlier may have waited for what another made.
  const calls = parseTrace(known).sort((one, other) => one.ended - other.ended)
  for (const call of calls) readCall(call)
  if (early[0]) throw new Error(`the trace knows no folder of ${early[0].args}`)
  return { root: tree.root, changes: tree.changes, syncs: syncs.map(withSite), notes }
}
