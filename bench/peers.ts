import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** A program that ours is compared with, from the npm registry. */
export interface Peer {
  name: string
  /** `package@version`. The version is pinned, so that two runs measure the same program. */
  spec: string
  /** The path of its program in its `node_modules`. */
  program: string
  /** Whether the program is started without Node, because it is not JavaScript. */
  native?: boolean
}

export const PEERS = {
  vercel: { name: 'vercel', spec: 'vercel@60.1.3', program: 'vercel/dist/vc.js' },
  resend: { name: 'resend', spec: 'resend-cli@2.21.0', program: 'resend-cli/dist/cli.cjs' },
  oclif: { name: 'an oclif program', spec: '@oclif/core@5.1.9', program: '../run.mjs' },
  newman: { name: 'newman', spec: 'newman@6.2.2', program: 'newman/bin/newman.js' },
  wrangler: { name: 'wrangler', spec: 'wrangler@4.164.0', program: 'wrangler/bin/wrangler.js' },
  netlify: { name: 'netlify', spec: 'netlify-cli@27.10.2', program: 'netlify-cli/bin/run.js' },
  firebase: { name: 'firebase', spec: 'firebase-tools@15.34.2', program: 'firebase-tools/lib/bin/firebase.js' },
  stripe: { name: 'stripe, as npm installs it', spec: '@stripe/cli@1.52.0', program: '@stripe/cli/bin/shim.js' },
  prism: { name: 'prism', spec: '@stoplight/prism-cli@5.16.0', program: '@stoplight/prism-cli/dist/index.js' },
  'json-server': { name: 'json-server', spec: 'json-server@0.17.4', program: 'json-server/lib/cli/bin.js' },
} as const satisfies Record<string, Peer>

/** An installed peer with the path of its program, or the reason why it is not installed. */
export type Installed = Peer & ({ path: string } | { missing: string })

/**
 * Installs a peer into the user's cache folder, never into this repository, unless it is there already. Its install scripts are not run.
 */
export function installPeer(id: keyof typeof PEERS): Installed {
  const peer: Peer = PEERS[id]
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const dir = join(cache, 'bnpl-bench', peer.spec.replaceAll('/', '+'))
  const path = join(dir, 'node_modules', peer.program)
  if (!existsSync(join(dir, 'whole'))) {
    rmSync(dir, { recursive: true, force: true })
    mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, 'package.json'), '{ "private": true }')
    if (id === 'oclif') writeOclifProgram(dir)
    console.error(`installing ${peer.spec} …`)
    const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error', peer.spec]
    const { status, stderr } = spawnSync('npm', words, { cwd: dir, encoding: 'utf8', timeout: 300_000 })
    if (status !== 0 || !existsSync(path))
      return {
        ...peer,
        missing:
          /npm error (?!code)(.*)/.exec(stderr)?.[1]?.replace(/https?:\/\/\S+/g, '…') ?? `npm ended with ${status}`,
      }
    writeFileSync(join(dir, 'whole'), '')
  }
  return { ...peer, path }
}

/** Returns the binary of the Stripe CLI. The npm package only starts this binary. */
export function stripeBinary(): Installed {
  const shim = installPeer('stripe')
  if (!('path' in shim)) return shim
  const found = join(shim.path, '../../..', `cli-${process.platform}-${process.arch}`, 'bin', 'stripe')
  const name = 'stripe, its binary alone'
  return existsSync(found)
    ? { ...shim, name, path: found, native: true }
    : { ...shim, name, missing: `${found} is not there` }
}

/** Writes the program that oclif's own generator makes, with one command. */
function writeOclifProgram(dir: string): void {
  const program = { private: true, type: 'module', version: '1.0.0', name: 'hello', bin: { hello: './run.mjs' } }
  const oclif = { bin: 'hello', commands: './commands', dirname: 'hello' }
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ ...program, oclif }))
  writeFileSync(
    join(dir, 'run.mjs'),
    "import { execute } from '@oclif/core'\nawait execute({ dir: import.meta.url })\n",
  )
  mkdirSync(join(dir, 'commands'))
  const command =
    "import { Command } from '@oclif/core'\nexport default class Hello extends Command {\n  static description = 'says hello'\n  async run() { this.log('hello') }\n}\n"
  writeFileSync(join(dir, 'commands', 'hello.js'), command)
}

/** Returns the version of a peer, from its `spec`. */
export function versionOf({ spec }: Peer): string {
  return spec.slice(spec.lastIndexOf('@') + 1)
}

/** Returns the first line that an installed tool prints about its version; empty when the tool is not installed. */
export function toolVersion(program: string, ...words: string[]): string {
  const { stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' })
  return /\d+\.\d+(\.\d+)*/.exec(`${stdout ?? ''}${stderr ?? ''}`)?.[0] ?? ''
}
