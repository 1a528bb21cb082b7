import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type OutputChunk, rolldown } from 'rolldown'
import { trimmed } from './trimmed.ts'

export const ROOT = dirname(import.meta.dirname)

export const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }

/**
 * Bundles `src/main.ts` into CommonJS: a small core, and a chunk for each part that is imported lazily.
 * CommonJS because Node starts it fastest: no asynchronous loader, and built-in modules load without touching every export.
 * @param dir the folder to write to
 */
export async function bundle(dir: string): Promise<OutputChunk[]> {
  const build = await rolldown({
    cwd: ROOT,
    input: { main: 'src/main.ts', 'inbox-worker': 'src/receiver/file/inbox-worker.ts' },
    platform: 'node',
    logLevel: 'warn',
    plugins: [trimmed],
    transform: { define: { BNPL_VERSION: JSON.stringify(VERSION) } },
  })
  const { output } = await build.write({
    dir,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    // Names stay as they are: a fault's place in the code can then be understood without a source map.
    minify: { compress: true, mangle: false, codegen: true },
    comments: false,
  })
  return output.filter((each) => each.type === 'chunk')
}
