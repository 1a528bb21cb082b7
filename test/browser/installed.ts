import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FONTS = 'bnpl-fonts.conf'

/** A browser's program and the environment that it needs. */
export interface Installed {
  executablePath: string
  env: NodeJS.ProcessEnv
}

/** Where Chrome is installed on systems that `@sparticuz/chromium` has no binary for. */
const CHROMES: readonly string[] = [
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ...[process.env.LOCALAPPDATA, process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)']]
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe')),
]

/**
 * Returns the browser of the tests: the Chromium inside `@sparticuz/chromium`, with the libraries that come with it. That package has a
 * binary only for Linux on x64; on other systems this is an installed Chrome, or undefined if none is installed.
 */
export async function installedBrowser(): Promise<Installed | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    const executablePath = CHROMES.find((path) => existsSync(path))
    return executablePath === undefined ? undefined : { executablePath, env: process.env }
  }
  const folder = await unpacked()
  // The font list contains paths. It is written again if the checkout was moved or its packages are shared, because pages would have no
  // letters.
  const fonts = join(folder, FONTS)
  if (readFileSync(fonts, 'utf8') !== fontsIn(folder)) writeFileSync(fonts, fontsIn(folder))
  const env = { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_FILE: fonts }
  return { executablePath: join(folder, 'chromium'), env }
}

/** Returns why no browser can be started on this machine; undefined if one can. */
export async function browserMissing(): Promise<string | undefined> {
  const browser = await installedBrowser()
  if (browser === undefined) return 'Chrome is not installed'
  if (process.platform !== 'linux') return undefined
  const { status, stderr, error } = spawnSync(browser.executablePath, ['--version'], {
    env: browser.env,
    encoding: 'utf8',
  })
  if (status === 0) return undefined
  const library = /(\S+\.so\S*): cannot open shared object file/.exec(stderr)?.[1]
  return library === undefined
    ? `Chromium does not start (${(error?.message ?? stderr).trim().split('\n')[0]})`
    : `Chromium needs the library ${library}`
}

/** Unpacks the browser once for this installation. If two test files unpack at the same time, only one copy is kept. */
async function unpacked(): Promise<string> {
  const cache = join(import.meta.dirname, '../../node_modules/.cache')
  const kept = join(cache, 'bnpl-chromium')
  if (existsSync(join(kept, 'chromium'))) return kept
  mkdirSync(cache, { recursive: true })
  const fresh = mkdtempSync(join(cache, 'bnpl-chromium-'))
  const before = { TMPDIR: process.env.TMPDIR, AWS_EXECUTION_ENV: process.env.AWS_EXECUTION_ENV }
  // The package unpacks into the temporary folder. It unpacks its libraries only if it believes that it runs in a Lambda function.
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

/**
 * Returns the list of the package's fonts with the right folder. The package's own list names `/tmp`, and without a font a page crashes.
 */
const fontsIn = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts', 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`
