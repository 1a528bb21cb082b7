import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { ONE_FILE, ROOT } from './bundle.ts'

const ASSETS = join(ROOT, 'src', 'window', 'window-assets')

/**
 * Makes the files of the sandbox's window: its style sheets, and all its scripts in one file. With thirty small files, the first view took
 * nearly twice as long.
 * @param dir the folder to write to
 */
export async function buildWindow(dir: string): Promise<void> {
  const build = await rolldown({ cwd: ROOT, input: join(ASSETS, 'start.js'), platform: 'browser', logLevel: 'warn' })
  await build.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    ...ONE_FILE,
  })
  cpSync(ASSETS, dir, { recursive: true, filter: (path) => !/\.(js|json|ts)$/.test(path) })
}
