import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { MINIFIED, ROOT } from './bundle.ts'
import { trimmed } from './trimmed.ts'

/**
 * `bnpl` and `bnpl/testing` are in one bundle and share their modules, so that `BnplError` is the same class in both. `bnpl/webhooks` has
 * its own bundle, so that it is one small file.
 */
const BUNDLES = [['index', 'testing'], ['webhooks']]

const ENTRIES = BUNDLES.flat()

/** Node prints the line of the code that threw an error which nobody caught. If the code were one line, Node would print all of it. */
const WITH_LINES = { ...MINIFIED, minify: { ...MINIFIED.minify, codegen: { removeWhitespace: false } } }

/**
 * Builds the library: a file for each entry (`library-index.cjs` is one), the chunks of these files, and the type declarations. The library
 * shares no chunks with the program, because shared chunks would make the start of the program slower. The files are in the folder of the
 * program, because the sandbox reads its pages from there.
 * @param dir the folder to write to
 */
export async function buildLibrary(dir: string): Promise<void> {
  for (const entries of BUNDLES) await bundleEntries(entries, dir)
  writeTypes(join(dir, 'types'))
}

async function bundleEntries(entries: readonly string[], dir: string): Promise<void> {
  const build = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])),
    platform: 'node',
    logLevel: 'warn',
    // Some modules are loaded lazily by commands, but at start by the library.
    checks: { ineffectiveDynamicImport: false },
    plugins: [trimmed],
  })
  await build.write({
    dir,
    format: 'cjs',
    entryFileNames: 'library-[name].cjs',
    chunkFileNames: 'library-[name].cjs',
    ...WITH_LINES,
  })
}

const COMPILER = [
  '--ignoreConfig --declaration --emitDeclarationOnly --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess',
  '--verbatimModuleSyntax --allowImportingTsExtensions --skipLibCheck --moduleDetection force --types node',
  '--target es2024 --lib es2024,esnext.iterator,esnext.collection,esnext.disposable --module nodenext --rootDir src',
]
  .join(' ')
  .split(' ')

/** Writes only the type declarations of the entries, and of the modules that these import. */
function writeTypes(dir: string): void {
  const all = mkdtempSync(join(tmpdir(), 'bnpl-types-'))
  try {
    const tsc = join(ROOT, 'node_modules', 'typescript', 'lib', 'tsc.js')
    const { status, stdout } = spawnSync(
      process.execPath,
      [tsc, ...COMPILER, '--outDir', all, ...ENTRIES.map((entry) => `src/${entry}.ts`)],
      {
        cwd: ROOT,
        encoding: 'utf8',
      },
    )
    if (status !== 0) throw new Error(`the types of the library could not be made:\n${stdout}`)
    const wanted = [...ENTRIES]
    for (const name of wanted) {
      const text = readFileSync(join(all, `${name}.d.ts`), 'utf8')
      for (const [, path = ''] of text.matchAll(/from '(\.[^']+)\.ts'/g)) {
        const named = join(dirname(name), path)
        if (!wanted.includes(named)) wanted.push(named)
      }
      const target = join(dir, `${name}.d.cts`)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, text.replace(/(from '\.[^']+)\.ts'/g, "$1.cjs'"))
    }
  } finally {
    rmSync(all, { recursive: true, force: true })
  }
}
