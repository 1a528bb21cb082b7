import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { expect } from 'vitest'
import { LAUNCHER } from './built-program.ts'
import type { Program } from './program.ts'

interface Account {
  product: string
  evaluationModule: boolean
  active: boolean
  apiKey: string
  publicKey: string
  entityId: string
}

export type Kitchen = Awaited<ReturnType<typeof kitchen>>

/** Starts a sandbox, and a shell with `bnpl` and one of its accounts. */
export async function kitchen(p: Program, product: 'bnpl' | 'real-estate' = 'bnpl') {
  const { ready, baseUrl } = await p.sandbox()
  const account = (ready.partners as Account[]).find(
    (each) => each.product === product && each.active && (product === 'bnpl' || each.evaluationModule),
  )
  const bin = join(p.dir, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'bnpl'), `#!/bin/sh\nexec "${process.execPath}" "${LAUNCHER}" "$@"\n`)
  chmodSync(join(bin, 'bnpl'), 0o755)
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: p.dir,
    BNPL_STATE_DIR: join(p.dir, 'client-state'),
    BNPL_CONFIG_DIR: join(p.dir, 'config'),
    BNPL_BASE_URL: baseUrl,
    BNPL_PAYMENT_URL: ready.paymentUrl,
    BNPL_API_KEY: account?.apiKey ?? '',
    BNPL_PUBLIC_KEY: account?.publicKey ?? '',
    BNPL_ENTITY_ID: account?.entityId ?? '',
  }
  return {
    file: (name: string) => readFileSync(join(p.dir, name), 'utf8'),
    put: (name: string, text: string) => writeFileSync(join(p.dir, name), text),
    dir: p.dir,
    env,
    /** Runs a script twice in a row, as cron does, and returns the end of the second run. */
    async twice(script: string) {
      const first = await this.sh(script)
      const second = await this.sh(script)
      expect([script, second.code, second.text]).toEqual([script, first.code, expect.anything()])
      return second
    },
    sh: (script: string) =>
      endOf(spawn('bash', ['-c', script], { cwd: p.dir, env, stdio: ['ignore', 'pipe', 'pipe'] })),
    /** Runs a script as cron does: without a terminal, in the home folder, with the few variables that cron sets. */
    cron: (script: string) =>
      endOf(
        spawn('/bin/sh', ['-c', script], {
          cwd: p.dir,
          env: { PATH: '/usr/bin:/bin', HOME: p.dir, SHELL: '/bin/sh', LOGNAME: 'shop' },
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      ),
    bin,
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
