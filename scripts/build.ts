import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { toManual } from '../src/cli/manual.ts'
import { SCRIPTS } from '../src/commands/completion/completion.ts'
import { bundle, ROOT, VERSION } from './bundle.ts'
import { bundledPackages } from './bundled.ts'
import { compileAtOnce } from './compiled-at-once.ts'
import { completionTree, renderHelp, toLines } from './help.ts'
import { buildLibrary } from './library.ts'
import { licencesOf } from './licences.ts'
import { packedTexts } from './packed-texts.ts'
import { type ShippedFile, sbomOf } from './sbom.ts'
import { buildWindow } from './window.ts'

/**
 * Builds `dist/`: the bundled program, the library, the texts that the launcher shows without starting the program, and the licences of the
 * bundled packages. The old `dist/` is replaced only at the end, so that a failed build does not change it.
 */

const made = join(ROOT, `dist.${process.pid}`)
const dist = join(ROOT, 'dist')

try {
  mkdirSync(made)
  const chunks = await bundle(made)
  await buildLibrary(made)
  const packages = bundledPackages(chunks.flatMap(({ moduleIds }) => moduleIds))
  // On Linux, the `open` package opens the browser with this script, so that a desktop without `xdg-open` works too.
  const opener = join(dirname(createRequire(import.meta.url).resolve('open')), 'xdg-open')
  cpSync(opener, join(made, 'xdg-open'))
  const files = [shippedScript(opener)]
  writeFileSync(join(made, 'THIRD-PARTY-LICENSES'), licencesOf(packages, files))
  const program = { name: 'bnpl', version: VERSION, license: 'MIT' }
  writeFileSync(
    join(made, 'sbom.cdx.json'),
    sbomOf(program, packages, files, { at: sourceDate(), tool: versionOfTool() }),
  )
  writeFileSync(join(made, 'version.txt'), `${VERSION}\n`)
  const help = await renderHelp(VERSION)
  writeFileSync(join(made, 'help.ndjson'), toLines(help), 'latin1')
  const tree = await completionTree(VERSION)
  writeFileSync(join(made, 'completions.json'), JSON.stringify(tree))
  for (const folder of ['man', 'completions', 'texts']) mkdirSync(join(made, folder))
  const texts = await packedTexts(tree, (language) => renderHelp(VERSION, language))
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(made, 'texts', name), text, 'latin1')
  writeFileSync(join(made, 'man', 'bnpl.1'), toManual(help, VERSION))
  for (const [shell, script] of Object.entries(SCRIPTS))
    writeFileSync(join(made, 'completions', `bnpl.${shell}`), script.trimStart())
  // The built program reads the style sheets and scripts of the payment page from `assets`, and those of the window from `window-assets`.
  cpSync(join(ROOT, 'src', 'sandbox', 'page', 'assets'), join(made, 'assets'), {
    recursive: true,
    filter: (path) => !path.endsWith('.json'),
  })
  await buildWindow(join(made, 'window-assets'))
  compileAtOnce(made)
  // The modes in the package must not depend on the umask of this build.
  for (const path of [made, join(ROOT, 'bin')]) fixModes(path)
  for (const name of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md']) chmodSync(join(ROOT, name), 0o644)
  rmSync(dist, { recursive: true, force: true })
  renameSync(made, dist)
} finally {
  rmSync(made, { recursive: true, force: true })
}

/** Returns the script `xdg-open` with its version and its licence, which are in its text. Throws if they cannot be found. */
function shippedScript(path: string): ShippedFile {
  const bytes = readFileSync(path)
  const text = bytes.toString('utf8')
  const version = /echo "xdg-open (\d[\w.]*)"/.exec(text)?.[1]
  const terms = /^# +Copyright[\s\S]*?(?=^#-)/m.exec(text)?.[0].replace(/^# ?/gm, '')
  if (version === undefined || !terms?.includes('Permission is hereby granted'))
    throw new Error(`${path} has no version, or not the licence that is expected`)
  return { name: 'xdg-open', version, license: 'MIT', terms, bytes }
}

/** Returns the time of the sources in seconds since 1970: SOURCE_DATE_EPOCH, otherwise the time of the last commit, otherwise 0. */
function sourceDate(): number {
  const given = process.env.SOURCE_DATE_EPOCH ?? spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT }).stdout
  return Number(String(given ?? '').trim()) || 0
}

function versionOfTool(): string {
  const path = createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json')
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}

/** Makes files readable and folders accessible to every user. Only files that are programs may be run. */
function fixModes(path: string): void {
  if (lstatSync(path).isDirectory()) {
    chmodSync(path, 0o755)
    for (const name of readdirSync(path)) fixModes(join(path, name))
  } else chmodSync(path, readFileSync(path).subarray(0, 2).toString() === '#!' ? 0o755 : 0o644)
}
