import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle, ROOT } from './bundle.ts'

/** Prints the sizes of what is shipped: the chunks, the packages inside them, and the npm tarball. */

const dir = mkdtempSync(join(tmpdir(), 'bnpl-size-'))
try {
  const chunks = await bundle(dir)
  print(
    'chunk',
    chunks.map(({ fileName, code }) => [fileName, Buffer.byteLength(code)]),
    12,
  )
  const weights = new Map<string, number>()
  for (const { modules } of chunks) {
    for (const [id, { renderedLength }] of Object.entries(modules)) {
      const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? 'bnpl itself'
      weights.set(name, (weights.get(name) ?? 0) + renderedLength)
    }
  }
  print('package (before it is minified)', [...weights], 20)
} finally {
  rmSync(dir, { recursive: true, force: true })
}

const packed = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: ROOT, encoding: 'utf8' })
if (packed.status !== 0) throw new Error(packed.stderr)
const [tarball] = JSON.parse(packed.stdout) as [{ size: number; unpackedSize: number; entryCount: number }]
console.log(
  `tarball: ${kib(tarball.size)} packed, ${kib(tarball.unpackedSize)} unpacked, ${tarball.entryCount} files; no dependencies`,
)

function print(what: string, rows: [string, number][], most: number): void {
  const sorted = rows.sort((a, b) => b[1] - a[1])
  const rest = sorted.slice(most)
  const shown: [string, number][] =
    rest.length > 0 ? [...sorted.slice(0, most), [`${rest.length} more`, sum(rest)]] : sorted
  console.log(`${what}:`)
  for (const [name, bytes] of [...shown, ['all', sum(rows)] as const])
    console.log(`  ${kib(bytes).padStart(12)}  ${name}`)
}

function sum(rows: readonly (readonly [string, number])[]): number {
  return rows.reduce((total, [, bytes]) => total + bytes, 0)
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`
}
