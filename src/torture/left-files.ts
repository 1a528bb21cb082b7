import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

const MOST_FILES = 200
const MOST_BYTES = 1024 * 1024

/** Returns the files in a run's folder as text: at most 200 files, and the first MiB of each. For an unreadable file, the text is empty. */
export async function readLeftFiles(folder: string): Promise<{ where: string; text: string; isLog: boolean }[]> {
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
