import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

interface Written {
  where: string
  text: string
  /** Whether the text is a log. A national id is a leak in a log, but not in a shop's database. */
  isLog: boolean
}

/** Keys must not occur in any text. Secrets (which a shop has to store) and national ids must not occur in logs. */
interface Forbidden {
  keys: readonly string[]
  secrets: readonly string[]
  nationalIds: readonly string[]
}

export interface Leak {
  where: string
  what: 'an API key' | 'the secret of a destination' | 'a national id'
}

/** Returns which of the shop's texts contain keys, secrets or national ids. Each kind of leak is listed only once for each text. */
export function findLeaks(written: readonly Written[], { keys, secrets, nationalIds }: Forbidden): Leak[] {
  const ids = nationalIds.map(patternOf)
  return written.flatMap(({ where, text, isLog }) => {
    const found: Leak[] = []
    const holds = (texts: readonly string[]) => texts.some((each) => each !== '' && text.includes(each))
    if (holds(keys)) found.push({ where, what: 'an API key' })
    if (isLog && holds(secrets)) found.push({ where, what: 'the secret of a destination' })
    if (isLog && ids.some((id) => id.test(text))) found.push({ where, what: 'a national id' })
    return found
  })
}

/** Returns a pattern for a national id as people and programs write it: `11222333-9`, `11.222.333-9`, `112223339`. */
function patternOf(id: string): RegExp {
  const [digits = '', check = ''] = id.split('-')
  const dotted = [...digits].reduceRight((right, digit, at) => {
    const isGroupEnd = at < digits.length - 1 && (digits.length - at - 1) % 3 === 0
    return `${digit}${isGroupEnd ? '\\.?' : ''}${right}`
  }, '')
  return new RegExp(`(?<![0-9])${dotted}-?${check}(?![0-9A-Za-z])`, 'i')
}

const MOST_FILES = 200
const MOST_BYTES = 1024 * 1024

/** Returns the files in a run's folder as text: at most 200 files, and the first MiB of each. For an unreadable file, the text is empty. */
export async function readLeftFiles(folder: string): Promise<Written[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const read = paths
    .sort()
    .slice(0, MOST_FILES)
    .map(async (path) => {
      const where = relative(folder, path)
      const bytes = await readFile(path).catch(() => Buffer.alloc(0))
      return { where, text: bytes.subarray(0, MOST_BYTES).toString('utf8'), isLog: /\.(log|out|err)(\.|$)/.test(where) }
    })
  return Promise.all(read)
}
