import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { ONE_FILE, ROOT } from './bundle.ts'
import { trimmed } from './trimmed.ts'

const ENTRIES = ['index', 'webhooks', 'testing']

/**
 * Builds one file for each entry of the library, such as `library-index.cjs`, and the type declarations. An entry shares no chunks with the
 * program, because these would make the start of the program slower. The files are in the folder of the program, because the sandbox reads
 * its pages from there.
 * @param dir the folder to write to
 */
export async function buildLibrary(dir: string): Promise<void> {
  for (const entry of ENTRIES) await bundleEntry(entry, dir)
  writeTypes(join(dir, 'types'))
}

async function bundleEntry(entry: string, dir: string): Promise<void> {
  const build = await rolldown({
    cwd: ROOT,
    input: { [entry]: `src/${entry}.ts` },
    platform: 'node',
    logLevel: 'warn',
    plugins: [trimmed],
  })
  await build.write({
    dir,
    format: 'cjs',
    entryFileNames: 'library-[name].cjs',
    ...ONE_FILE,
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
