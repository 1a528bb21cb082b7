import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { expect } from 'vitest'
import { LAUNCHER } from './built-program.ts'
import { machine } from './harness.ts'
import { runOnce, serve } from './served.ts'
import { shell } from './shell.ts'

export interface Account {
  product: string
  evaluationModule: boolean
  active: boolean
  apiKey: string
  publicKey: string
  entityId: string
}

export type Kitchen = Awaited<ReturnType<typeof kitchen>>

/** Starts a sandbox in this process, and a shell with `bnpl`, which runs in this process too, and one of its accounts. */
export async function kitchen(product: 'bnpl' | 'real-estate' = 'bnpl') {
  const m = machine()
  const served = await serve(m, ['sandbox', 'start'], {})
  const { partners, baseUrl, paymentUrl } = served.ready
  const account = (partners as Account[]).find(
    (each) => each.product === product && each.active && (product === 'bnpl' || each.evaluationModule),
  )
  const bin = join(m.dir, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'bnpl'), `#!/bin/sh\nexec "${process.execPath}" "${LAUNCHER}" "$@"\n`)
  chmodSync(join(bin, 'bnpl'), 0o755)
  const env: Record<string, string> = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: m.dir,
    BNPL_STATE_DIR: join(m.dir, 'client-state'),
    BNPL_CONFIG_DIR: join(m.dir, 'config'),
    BNPL_BASE_URL: baseUrl,
    BNPL_PAYMENT_URL: paymentUrl,
    BNPL_API_KEY: account?.apiKey ?? '',
    BNPL_PUBLIC_KEY: account?.publicKey ?? '',
    BNPL_ENTITY_ID: account?.entityId ?? '',
  }
  const client = { ...m, stateDir: join(m.dir, 'client-state') }
  const ofClient: typeof m = {
    ...client,
    world(options) {
      const made = m.world(options)
      made.world.stateDir = client.stateDir
      return made
    },
  }
  const set = Object.entries(env).filter(([name]) => name.startsWith('BNPL_'))
  const bash = await shell(m.dir, set.map(([name, value]) => `export ${name}='${value}'\n`).join(''), (call) =>
    runOnce(ofClient, call.words, { env: { ...env, ...call.env }, ...(call.stdin ? { stdin: call.stdin } : {}) }),
  )
  return {
    file: (name: string) => readFileSync(join(m.dir, name), 'utf8'),
    put: (name: string, text: string) => writeFileSync(join(m.dir, name), text),
    dir: m.dir,
    env,
    bin,
    /** Runs a command on the machine of the sandbox. */
    run: m.run,
    /** Runs a script twice in a row, as cron does, and returns the end of the second run. */
    async twice(script: string) {
      const first = await this.sh(script)
      const second = await this.sh(script)
      expect([script, second.code, second.text]).toEqual([script, first.code, expect.anything()])
      return second
    },
    async sh(script: string) {
      const [ended] = await bash.run([script])
      return { code: ended?.code, text: `${ended?.stdout}${ended?.stderr}` }
    },
    /**
     * Runs a script as cron does: without a terminal, in the home folder, with the few variables that cron sets, and with `bnpl` in
     * processes of its own.
     */
    cron: (script: string) =>
      endOf(
        spawn('/bin/sh', ['-c', script], {
          cwd: m.dir,
          env: { PATH: '/usr/bin:/bin', HOME: m.dir, SHELL: '/bin/sh', LOGNAME: 'shop' },
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      ),
    async [Symbol.asyncDispose]() {
      await bash[Symbol.asyncDispose]()
      await served.end()
      m[Symbol.dispose]()
    },
  }
}

function endOf(child: ChildProcessByStdio<null, Readable, Readable>) {
  return new Promise<{ code: number | null; text: string }>((resolve) => {
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        text += chunk
      })
    }
    child.once('close', (code) => resolve({ code, text }))
  })
}
