import { stat } from 'node:fs/promises'
import { type Contents, readContents } from '../../store/contents.ts'
import { readSetting } from '../../store/settings.ts'
import { readSnapshot } from '../../store/snapshot.ts'
import { iso } from '../../store/stamps.ts'
import type { Store } from '../../store/store.ts'
import { Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { FoundCause, ShownCause } from './cause.ts'
import { causesOf } from './causes.ts'
import type { Subjects } from './found-requests.ts'

interface Kept {
  file: string
  /** A text that changes when the file is replaced. */
  stamp: string
  at: string
  contents: Contents
  subjects: Subjects
}

/** The snapshot that was last compared. It stays in memory, because the window asks for the comparison again after every change. */
const latest = new WeakMap<Store, Kept>()

/** The maximum number of changes that are listed under one cause. A reset of a full sandbox causes many thousands of changes. */
const MOST = 100

/**
 * Returns what changed since a snapshot was saved, grouped by cause. For the order of the causes, see `causesOf`.
 * Throws `StoreRefusal` when the file is missing or is not a snapshot, and a 422 `Refusal` when the file is a snapshot of another sandbox.
 * @param onlyChanges leaves out the requests that changed nothing
 */
export async function changesSince(
  { store }: Pick<Service, 'store'>,
  file: string,
  { offset, limit, onlyChanges }: { offset: number; limit: number; onlyChanges: boolean },
) {
  const { at, contents, subjects } = await kept(store, file)
  const now = readContents(store.db)
  const ids = new Set(now.accounts.map(({ id }) => id))
  if (!contents.accounts.some(({ id }) => ids.has(id)))
    throw new Refusal(
      422,
      'ERR_SNAPSHOT_OF_ANOTHER_SANDBOX',
      `${file} contains the accounts of another sandbox, so it cannot be compared with the state of this sandbox`,
    )
  const causes = causesOf(contents, now, subjects)
  const listed = onlyChanges ? causes.filter(({ changes }) => changes.length > 0) : causes
  return {
    at,
    requests: causes.filter(({ by }) => by === 'request').length,
    changes: causes.reduce((sum, { changes }) => sum + changes.length, 0),
    total: listed.length,
    causes: listed.slice(offset, offset + limit).map(shown),
  }
}

const shown = (cause: FoundCause): ShownCause => ({
  ...cause,
  changes: cause.changes.slice(0, MOST).map((describe) => describe()),
  more: Math.max(0, cause.changes.length - MOST),
})

async function kept(store: Store, file: string): Promise<Kept> {
  const found = await stat(file).catch(() => undefined)
  const stamp = found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`
  const known = latest.get(store)
  if (found !== undefined && known?.file === file && known.stamp === stamp) return known
  const read = await readSnapshot(file, (db) => {
    const contents = readContents(db)
    // A snapshot that an older bnpl saved does not contain the time of saving. So the time of the last change of its file is used.
    const savedAt = readSetting(db, 'savedAt')
    return { file, stamp, at: savedAt ?? iso((found?.mtimeMs ?? 0) + contents.aheadMs), contents, subjects: new Map() }
  })
  latest.set(store, read)
  return read
}
