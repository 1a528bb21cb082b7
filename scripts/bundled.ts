import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ROOT } from './bundle.ts'

export interface Bundled {
  name: string
  version: string
  /** The SPDX expression in its package.json. */
  license: string
  folder: string
  /** Its key in the lock file, such as `node_modules/name`. */
  path: string
  /** Its hash in the lock file: `sha512-` and Base64. */
  integrity: string
}

interface LockFile {
  packages: Record<string, { version: string; integrity: string }>
}

/**
 * Returns the packages of bundled modules, sorted by name. A package with two versions is returned twice.
 * @param moduleIds absolute paths of the modules
 * @throws when an installed version differs from the lock file
 */
export function bundledPackages(moduleIds: readonly string[]): Bundled[] {
  const folders = new Set(moduleIds.flatMap((id) => packageFolder(id) ?? []))
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as LockFile
  const byName = new Map<string, Bundled>()
  for (const folder of [...folders].sort()) {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Bundled
    const path = relative(ROOT, folder).replaceAll('\\', '/')
    const locked = lock.packages[path]
    if (locked?.version !== version)
      throw new Error(`${name} ${version} is not the version in package-lock.json. Run npm ci`)
    byName.set(`${name}@${version}`, { name, version, license, folder, path, integrity: locked.integrity })
  }
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
}

/** Returns `…/node_modules/name` or `…/node_modules/@scope/name`, or undefined for a module of our own. */
function packageFolder(id: string): string | undefined {
  return /^(?:\0.*?)?(\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1]
}
