import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { SCRIPTS } from '../src/commands/completion/completion.ts'
import { bundle, ROOT, VERSION } from './bundle.ts'
import { bundledPackages } from './bundled.ts'
import { completionTree, renderHelp } from './help.ts'
import { buildLibrary } from './library.ts'
import { licencesOf } from './licences.ts'
import { toManual } from './manual.ts'
import { sbomOf } from './sbom.ts'
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
  writeFileSync(join(made, 'THIRD-PARTY-LICENSES'), licencesOf(packages))
  writeFileSync(join(made, 'sbom.cdx.json'), sbomOf({ name: 'bnpl', version: VERSION, license: 'MIT' }, packages))
  writeFileSync(join(made, 'version.txt'), `${VERSION}\n`)
  const help = await renderHelp(VERSION)
  writeFileSync(join(made, 'help.json'), JSON.stringify(help))
  writeFileSync(join(made, 'completions.json'), JSON.stringify(await completionTree(VERSION)))
  for (const folder of ['man', 'completions']) mkdirSync(join(made, folder))
  writeFileSync(join(made, 'man', 'bnpl.1'), toManual(help, VERSION))
  for (const [shell, script] of Object.entries(SCRIPTS))
    writeFileSync(join(made, 'completions', `bnpl.${shell}`), script.trimStart())
  // On Linux, the `open` package opens the browser with this script, so that a desktop without `xdg-open` works too.
  const opener = createRequire(import.meta.url).resolve('open')
  cpSync(join(dirname(opener), 'xdg-open'), join(made, 'xdg-open'))
  // The built program reads the style sheets and scripts of the payment page from `assets`, and those of the window from `window-assets`.
  cpSync(join(ROOT, 'src', 'sandbox', 'page', 'assets'), join(made, 'assets'), {
    recursive: true,
    filter: (path) => !path.endsWith('.json'),
  })
  await buildWindow(join(made, 'window-assets'))
  rmSync(dist, { recursive: true, force: true })
  renameSync(made, dist)
} finally {
  rmSync(made, { recursive: true, force: true })
}
