import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './source-graph.ts'

interface Locked {
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
  link?: boolean
}

const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'))
const lock: { lockfileVersion: number; packages: Record<string, Locked> } = read('package-lock.json')
const packages = Object.entries(lock.packages).filter(([path]) => path !== '')

test('row 110: every package is locked by its SHA-512 and comes from the registry', () => {
  expect(lock.lockfileVersion).toBe(3)
  expect(packages.length).toBeGreaterThan(100)
  for (const [path, { integrity, resolved, link }] of packages) {
    expect([path, /^sha512-[\w+/]{86}==/.test(integrity ?? ''), link]).toEqual([path, true, undefined])
    // No address: each machine takes it from the registry, or the mirror of it, that it is set up for.
    expect([path, resolved]).toEqual([path, undefined])
  }
  expect(readFileSync(join(ROOT, '.npmrc'), 'utf8')).toContain('omit-lockfile-registry-resolved=true')
})

test('row 110: only Node itself runs a script when it is installed, and that is allowed by name', () => {
  const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)
  expect(scripted).toEqual(['node_modules/node'])
  expect(read('package.json').allowScripts).toEqual({ node: true })
})

test('row 110: what is asked for is what is locked, and no version is taken from anywhere but the registry', () => {
  const { devDependencies } = read('package.json') as { devDependencies: Record<string, string> }
  const root = lock.packages[''] as { devDependencies?: Record<string, string> }
  expect(root.devDependencies).toEqual(devDependencies)
  for (const [name, range] of Object.entries(devDependencies))
    expect([name, /^[~^]?\d+\.\d+\.\d+(-alpha\.\d+)?$/.test(range)]).toEqual([name, true])
})

test('row 110: each dependency has its reason in the decisions', () => {
  const { devDependencies } = read('package.json') as { devDependencies: Record<string, string> }
  const reasons = readFileSync(join(ROOT, 'docs/decisions/007-dependencies.md'), 'utf8')
  expect(Object.keys(devDependencies).filter((name) => !new RegExp(`[|,] ${name}[ ,(]`).test(reasons))).toEqual([])
})
