import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openProfiles } from '../src/profiles/store.ts'
import { LOAN } from '../test/kit/loan.ts'
import { publish, quick, words } from './finding.ts'
import { type Case, found, measure } from './measure.ts'

/**
 * Measures what a start takes: whole runs of the built program beside bare Node, in turn.
 * Arguments: rounds (default 30), then words, of which the name of a case must contain one.
 */

const ANSWER = {
  ...LOAN,
  externalTrxId: 'order-1',
  periods: 3,
  installments: [4, 5, 6].map((month, i) => ({ state: 'PENDING', period: i + 1, expirationDate: `2026-0${month}-01` })),
}

const root = dirname(import.meta.dirname)
if (!existsSync(join(root, 'dist', 'main.cjs'))) throw new Error('not built: npm run build')
const [rounds = quick ? '3' : '30', ...only] = words
const home = mkdtempSync(join(tmpdir(), 'bnpl-bench-'))
const server = await serveLoan()
try {
  const { port } = server.address() as AddressInfo
  const cases = (await casesFor(home, `http://127.0.0.1:${port}`)).filter(({ name }) =>
    only.every((word) => name.includes(word)),
  )
  const measured = await measure({ name: '`node -e 0`', command: [process.execPath, '-e', '0'] }, cases, Number(rounds))
  publish(
    found(
      'Start-up',
      `The time from the start of the process to its end, in ${rounds} rounds. Ratios compare with bare Node (\`node -e 0\`).`,
      measured,
    ),
  )
} finally {
  server.close()
  rmSync(home, { recursive: true })
}

async function casesFor(dir: string, baseUrl: string): Promise<Case[]> {
  const configDir = join(dir, 'config')
  const profiles = await openProfiles(configDir, () => {})
  await profiles.update((file) => ({
    ...file,
    profiles: { bench: { environment: 'beta', baseUrl, apiKey: 'key', apiKeyOrigin: baseUrl, entityId: 'entity' } },
  }))
  const env = { HOME: dir, XDG_CACHE_HOME: join(dir, 'cache'), BNPL_CONFIG_DIR: configDir }
  const account = { BNPL_BASE_URL: baseUrl, BNPL_API_KEY: 'key', BNPL_ENTITY_ID: 'entity' }
  const spanish = { BNPL_LANG: 'es' }
  const bnpl = (line: string, goal: number, more: Record<string, string> = {}): Case => ({
    name: `\`bnpl ${line}\`${more.BNPL_BASE_URL ? ', with all settings in environment variables' : ''}${more.BNPL_LANG ? ', in Spanish' : ''}`,
    command: [process.execPath, join(root, 'bin', 'bnpl.js'), ...line.split(' ')],
    env: { ...env, ...more },
    goal,
  })
  return [
    bnpl('--version', 1.2),
    bnpl('--help', 1.2),
    bnpl('evaluate --help', 1.6),
    bnpl('verify --help', 1.6),
    bnpl('completion bash', 1.4),
    bnpl('__complete bash -- verify --ex', 1.4),
    bnpl('explain ERR_CUSTOMER_NOT_APPROVED', 1.6),
    bnpl('evaluate --rut 11222333-9 --amount 250000 --dry-run', 3.6, account),
    bnpl('verify order-1 --json', 3.6, account),
    bnpl('verify order-1 -p bench --json', 4.5),
    bnpl('history --json', 1.6),
    // This command shows fingerprints of keys, so it loads Node's cryptography, which takes a fifth of a start.
    bnpl('profiles list --json', 1.6),
    bnpl('evaluate --rut 11222333-9 --amount 250000 -p sandbox --json', 6),
    // A command that prints texts opens their file, and finds those texts. A help text is put together from texts by their numbers.
    bnpl('--help', 1.2, spanish),
    bnpl('verify --help', 1.2, spanish),
    // The goal in English, and 0.03 of bare Node.
    bnpl('profiles list --json', 1.63, spanish),
    bnpl('explain ERR_CUSTOMER_NOT_APPROVED', 1.63, spanish),
    bnpl('history', 2.1, spanish),
  ]
}

/** A service that answers every call with one loan. */
async function serveLoan(): Promise<Server> {
  const body = JSON.stringify({ data: ANSWER })
  const made = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(body))
  })
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
  return made
}
