import { execFile, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startSandbox } from '../../src/testing.ts'
import { machine } from '../kit/harness.ts'
import { lastingPort } from '../kit/lasting-port.ts'
import { needsProgram } from '../kit/needs.ts'
import { patient } from '../kit/patient.ts'
import { program } from '../kit/program.ts'
import { ROOT } from '../kit/source-graph.ts'

/** How the example in each language is run. */
const EXAMPLES = [
  ['typescript', process.execPath, 'ts'],
  ['python', 'python3', 'py'],
  ['php', 'php', 'php'],
] as const

const SERVICES = ['specification', 'banca.me'] as const

const RUNS = EXAMPLES.flatMap(([language, ...rest]) => [
  [language, 'specification', 'refunded', ['refund'], ...rest] as const,
  [language, 'banca.me', 'paid', [], ...rest] as const,
])

test.each(RUNS)(
  'the shop in %s passes its own test in sandbox run --customer --service %s, and lists the order as %s and shipped once',
  async (language, service, state, words, runs, ending) => {
    needsProgram(runs)
    await using p = program()
    const path = (name: string) => join(ROOT, 'examples', language, `${name}.${ending}`)
    const env = { BNPL_RUN_DIR: p.dir, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }
    const command = [runs, path('test'), ...words]
    const bought = await p.start(['sandbox', 'run', '--customer', '--service', service, '--', ...command], env).ended
    expect(bought.code, bought.stderr).toBe(0)
    const { stdout } = await promisify(execFile)(runs, [path('shop'), 'orders'], {
      env: { PATH: process.env.PATH, ...env },
    })
    expect(JSON.parse(stdout)).toEqual({
      externalTrxId: expect.any(String),
      paid: state === 'paid',
      fulfilled: 1,
      refunded: state === 'refunded',
    })
    // The shop's data contain no national id and no key.
    expect(readFileSync(join(p.dir, ending === 'php' ? 'shop.json' : 'shop.db'), 'latin1')).not.toMatch(
      /11222333|sk_sandbox|whsec_/,
    )
  },
)

test('the shop in TypeScript waits for its database while another program has locked it', async () => {
  using m = machine()
  const SHOP_DATA = join(m.dir, 'shop.db')
  const other = new DatabaseSync(SHOP_DATA)
  other.exec('begin exclusive; create table others (id integer)')
  const listed = promisify(execFile)(process.execPath, [join(ROOT, 'examples/typescript/shop.ts'), 'orders'], {
    env: { PATH: process.env.PATH, SHOP_DATA },
  })
  // This is shorter than the wait of the shop.
  setTimeout(() => other.exec('commit'), 1_000)
  expect((await listed).stdout).toBe('')
  other.close()
})

test.each(EXAMPLES)(
  'the shop in %s passes every check of webhooks test, also with half of an emoji',
  async (language, runs, ending) => {
    needsProgram(runs)
    using m = machine()
    const secret = 'whsec-of-the-shop-0123456789'
    const port = await lastingPort()
    const shop = join(ROOT, 'examples', language, `shop.${ending}`)
    const served = ending === 'php' ? ['-S', `127.0.0.1:${port}`, shop] : [shop, 'serve']
    const child = spawn(runs, served, {
      stdio: 'ignore',
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        SHOP_DATA: join(m.dir, 'shop'),
        BNPL_WEBHOOK_SECRET: secret,
        BNPL_API_KEY: 'k',
        BNPL_BASE_URL: 'http://127.0.0.1:9',
      },
    })
    try {
      const url = `http://127.0.0.1:${port}/webhooks`
      const answers = () =>
        fetch(url).then(
          ({ status }) => status > 0,
          () => false,
        )
      await expect.poll(answers).toBe(true)
      for (const service of SERVICES) {
        const env = { BNPL_WEBHOOK_SECRET: secret, BNPL_SERVICE: service }
        const ran = await m.run(`webhooks test ${url} --json`, { env, transport: patient })
        const findings: { name: string; status: string }[] = ran.json()
        expect(findings.filter(({ status }) => status === 'fail' || status === 'warn')).toMatchObject([
          { name: 'the service can deliver to the address', status: 'warn' },
        ])
        expect(findings.map(({ name }) => name)).toContain(
          'half of an emoji, as an escape such as \\ud83d, is accepted',
        )
      }
    } finally {
      child.kill()
    }
  },
)

test.each(EXAMPLES)(
  'the shop in %s sends a cancellation of unknown outcome again only after a minute, if its operator asks; its reconciliation only verifies',
  async (language, runs, ending) => {
    needsProgram(runs)
    using m = machine()
    await using sandbox = await startSandbox({ customer: true })
    const data = join(m.dir, 'shop')
    const run = (name: string, ...words: string[]) =>
      promisify(execFile)(runs, [join(ROOT, 'examples', language, `${name}.${ending}`), ...words], {
        env: {
          PATH: process.env.PATH,
          SHOP_DATA: data,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          ...sandbox.env,
        },
      }).then(
        ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
        ({ code, stdout, stderr }) => ({ code: Number(code), stdout: String(stdout), stderr: String(stderr) }),
      )
    const order = async () => JSON.parse((await run('shop', 'orders')).stdout)
    const cancels = async () => (await sandbox.requests()).filter(({ path }) => path.endsWith('/loan/cancel')).length
    expect(await run('test')).toMatchObject({ code: 0 })
    const { externalTrxId: id } = await order()

    await sandbox.fault('cancelLoan', { kind: 'cut-before', times: 2 })
    expect((await run('shop', 'refund', id)).code).toBe(1)
    expect((await run('shop', 'refund', id)).stderr).toContain('began less than a minute ago')
    expect([(await run('shop', 'settle')).code, await cancels()]).toEqual([1, 1])
    expect(await order()).toMatchObject({ paid: true, fulfilled: 1, refunded: false })

    forgetTheMinute(data)
    expect([(await run('shop', 'refund', id)).code, await cancels()]).toEqual([1, 2])
    await sandbox.client().cancelLoan(id)
    expect((await run('shop', 'settle')).code).toBe(0)
    expect(await order()).toEqual({ externalTrxId: id, paid: false, fulfilled: 1, refunded: true })
    expect([(await run('shop', 'refund', id)).code, await cancels()]).toEqual([0, 3])
    expect((await run('shop', 'refund', 'unknown')).code).not.toBe(0)
  },
  60_000,
)

/** Changes the data of a shop as if its last cancellation had been sent long ago. */
function forgetTheMinute(path: string): void {
  const text = readFileSync(path, 'utf8')
  if (text.startsWith('{')) writeFileSync(path, text.replace(/"cancelSentAt":\d+/, '"cancelSentAt":0'))
  else {
    const db = new DatabaseSync(path)
    db.exec('update orders set cancelSentAt = 0')
    db.close()
  }
}
