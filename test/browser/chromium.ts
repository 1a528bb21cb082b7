import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { ROOT } from '../source-graph.ts'

const FONTS = 'bnpl-fonts.conf'

/**
 * Starts a browser that needs nothing but the npm packages: the Chromium inside `@sparticuz/chromium`, with the libraries that
 * come with it. Where that package has no binary (it is for Linux on x64) an installed Chrome is used.
 */
export async function startBrowser(): Promise<Browser> {
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
  if (process.platform !== 'linux' || process.arch !== 'x64') return chromium.launch({ channel: 'chrome', args })
  const folder = await unpacked()
  // A checkout that was moved, or whose packages are shared, would show pages without a single letter.
  const fonts = join(folder, FONTS)
  if (readFileSync(fonts, 'utf8') !== fontsIn(folder)) writeFileSync(fonts, fontsIn(folder))
  const env = { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_FILE: fonts }
  return chromium.launch({ executablePath: join(folder, 'chromium'), args, env })
}

/** Unpacks the browser once for this installation; two test files at once each unpack, and one of them is kept. */
async function unpacked(): Promise<string> {
  const cache = join(ROOT, 'node_modules', '.cache')
  const kept = join(cache, 'bnpl-chromium')
  if (existsSync(join(kept, 'chromium'))) return kept
  mkdirSync(cache, { recursive: true })
  const fresh = mkdtempSync(join(cache, 'bnpl-chromium-'))
  const before = { TMPDIR: process.env.TMPDIR, AWS_EXECUTION_ENV: process.env.AWS_EXECUTION_ENV }
  // The package unpacks into the temporary folder, and its libraries only where it believes to be in a Lambda function.
  Object.assign(process.env, { TMPDIR: fresh, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' })
  try {
    const { default: packed } = await import('@sparticuz/chromium')
    await packed.executablePath()
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
  writeFileSync(join(fresh, FONTS), fontsIn(kept))
  try {
    renameSync(fresh, kept)
  } catch {
    rmSync(fresh, { recursive: true, force: true })
  }
  return kept
}

/** The fonts of the package, at the place where they are: its own list looks in `/tmp`, and without a font a page crashes. */
const fontsIn = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts', 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`
