import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { build } from 'rolldown'
import { ROOT } from './bundle.ts'

/**
 * Builds a single file that runs without an installed Node: the running Node with the built program inside. The argument is the path of the
 * file. The default is `executable/bnpl`, or `executable/bnpl.exe` on Windows.
 */

// The text that marks the place for the program in Node's binary, according to Node's documentation.
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
const [given = join(ROOT, 'executable', process.platform === 'win32' ? 'bnpl.exe' : 'bnpl')] = process.argv.slice(2)
const target = resolve(given)
const work = mkdtempSync(join(tmpdir(), 'bnpl-executable-'))
try {
  const blob = join(work, 'program.blob')
  const config = join(work, 'config.json')
  writeFileSync(
    config,
    JSON.stringify({
      main: await mainFile(work),
      output: blob,
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
      assets: assets(work),
    }),
  )
  node('--experimental-sea-config', config)
  mkdirSync(dirname(target), { recursive: true })
  rmSync(target, { force: true })
  copyFileSync(process.execPath, target)
  // macOS does not run a changed file that has its old signature.
  if (process.platform === 'darwin') must('codesign', ['--remove-signature', target])
  const postject = join(dirname(createRequire(import.meta.url).resolve('postject')), 'cli.js')
  const place = process.platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : []
  node(postject, target, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE, ...place)
  if (process.platform === 'darwin') must('codesign', ['--sign', '-', target])
  console.log(`${target}: ${(statSync(target).size / 1024 / 1024).toFixed(0)} MiB, Node ${process.versions.node}`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Bundles the start of the executable into one file, because Node can load only one file from inside an executable. */
async function mainFile(dir: string): Promise<string> {
  const file = join(dir, 'main.cjs')
  await build({
    input: join(ROOT, 'scripts', 'executable-main.cjs'),
    platform: 'node',
    logLevel: 'warn',
    output: { file, format: 'cjs' },
  })
  return file
}

/** Returns the files to put into the executable. The asset `content-hash` is a hash of all of them. */
function assets(dir: string): Record<string, string> {
  const paths = globSync(['bin/*', 'dist/**/*', 'package.json'], { cwd: ROOT })
    .filter((path) => statSync(join(ROOT, path)).isFile())
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/^dist\/(types\/|library-)/.test(path))
    .sort()
  if (!paths.includes('dist/main.cjs')) throw new Error('not built: npm run build')
  const hash = createHash('sha256')
  for (const path of paths)
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update('\0')
  const hashed = join(dir, 'content-hash')
  writeFileSync(hashed, hash.digest('hex').slice(0, 16))
  return { ...Object.fromEntries(paths.map((path) => [path, join(ROOT, path)])), 'content-hash': hashed }
}

function node(...args: string[]): void {
  must(process.execPath, args)
}

function must(program: string, args: readonly string[]): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args[0]} failed: ${error?.message ?? `${stdout}${stderr}`}`)
}
