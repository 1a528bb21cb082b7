import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from './bundle.ts'
import { type Bundled, bundledPackages } from './bundled.ts'

/**
 * Asks the npm registry for advisories about the bundled packages, in exactly their versions. `npm audit --omit=dev` would find nothing,
 * because these packages are dev dependencies. The exit code is 1 if there is an advisory, and 2 if the registry did not answer.
 */

interface Report {
  vulnerabilities?: Record<string, { severity: string; via: readonly ({ title: string; url: string } | string)[] }>
  error?: { summary?: string }
  message?: string
}

const dir = mkdtempSync(join(tmpdir(), 'bnpl-audit-'))
try {
  const packages = bundledPackages((await bundle(join(dir, 'dist'))).flatMap(({ moduleIds }) => moduleIds))
  const report = audit(dir, packages)
  const found = Object.entries(report.vulnerabilities ?? {})
  if (report.vulnerabilities === undefined) {
    console.error(`not checked, the registry gave no answer: ${report.error?.summary ?? report.message ?? 'unknown'}`)
    for (const { name, version } of packages) console.error(`  ${name} ${version}`)
    process.exitCode = 2
  } else {
    for (const [name, { severity, via }] of found) {
      const advisories = via.flatMap((each) => (typeof each === 'string' ? [] : `${each.title} ${each.url}`))
      console.log(`${name}: ${severity}: ${advisories.join('; ')}`)
    }
    console.log(`${packages.length} bundled packages, ${found.length} with advisories`)
    process.exitCode = found.length > 0 ? 1 : 0
  }
} finally {
  rmSync(dir, { recursive: true, force: true })
}

function audit(dir: string, packages: readonly Bundled[]): Report {
  const root = { name: 'bundled', version: '0.0.0', dependencies: dependenciesOf(packages) }
  const locked = packages.map(({ path, version, integrity }) => [path, { version, integrity }])
  const lock = { ...root, lockfileVersion: 3, packages: { '': root, ...Object.fromEntries(locked) } }
  writeFileSync(join(dir, 'package.json'), JSON.stringify(root))
  writeFileSync(join(dir, 'package-lock.json'), JSON.stringify(lock))
  const { stdout } = spawnSync('npm', ['audit', '--json', '--package-lock-only'], { cwd: dir, encoding: 'utf8' })
  try {
    return JSON.parse(stdout) as Report
  } catch {
    return {}
  }
}

/** Returns only the packages that are installed at the top level. npm finds the other packages through the lock file. */
function dependenciesOf(packages: readonly Bundled[]): Record<string, string> {
  const own = packages.filter(({ path }) => path.lastIndexOf('node_modules/') === 0)
  return Object.fromEntries(own.map(({ name, version }) => [name, version]))
}
