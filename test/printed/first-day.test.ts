import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDescription } from '../../src/contract/description-file.ts'
import { encodeForm, FORM_TYPE } from '../../src/contract/form.ts'
import { sign } from '../../src/domain/signature.ts'
import { Interrupted } from '../../src/errors.ts'
import { openPrivateSandbox } from '../../src/sandbox/server/private-sandbox.ts'
import { blocksOf, FIRST_DAY } from '../kit/example-lines.ts'
import { machine, type Ran, realClock } from '../kit/harness.ts'
import { until } from '../kit/program.ts'
import { random } from '../kit/seed.ts'

const PAGE = 'docs/the-first-day.md'

/** How the real service differs from the sandbox in this test. */
const REAL = {
  preApproveIdField: { answer: 'idPreAprobacion' },
  notYet: { answer: '409' },
  errorForm: { answer: 'flat' },
}

/** Returns the command lines of a block. */
const linesOf = (script: string) => script.replaceAll('\\\n', ' ').split('\n')

test('the first day of docs/the-first-day.md works, from adding an account to starting a sandbox like the service', async () => {
  using m = machine()
  const real = readDescription({ kind: 'bnpl service description', version: 1, fields: REAL }, 'real')
  const description = real.ok ? real.description : undefined
  const service = await openPrivateSandbox({ port: 0, clock: realClock, random, description, onError: () => {} })
  const [shop] = service.accounts
  if (shop === undefined) throw new Error('no account')
  const secret = 'whsec-of-the-first-day-4711'
  writeFileSync(join(m.dir, 'key.txt'), shop.apiKey, { mode: 0o600 })
  writeFileSync(join(m.dir, 'secret.txt'), secret, { mode: 0o600 })
  const toService = (line: string) =>
    line
      .replace('https://api-beta.example', service.baseUrl)
      .replace('https://pay-beta.example', service.paymentUrl)
      .replace('pk-beta-acme', shop.publicKey)
      .replace('acme-beta', shop.entityId)
  const run = async (line: string, code = 0): Promise<Ran> => {
    const ran = await m.run(toService(line).replace(/^bnpl /, ''))
    expect([line, ran.code], ran.stdout + ran.stderr).toEqual([line, code])
    return ran
  }
  /** Starts a command that runs until it is stopped, and stops it after `work`. */
  const during = async (line: string, work: (ready: any) => Promise<void>, code = 143) => {
    const stop = new AbortController()
    rmSync(join(m.dir, 'ready'), { force: true })
    const ran = m.run(`${line.replace(/^bnpl /, '')} --port 0 --ready-file ready`, { signal: stop.signal })
    await until(() => existsSync(join(m.dir, 'ready')), { ended: new Promise(() => {}) })
    try {
      await work(JSON.parse(readFileSync(join(m.dir, 'ready'), 'utf8')))
    } finally {
      if (code === 143) stop.abort(new Interrupted(143))
      expect([line, (await ran).code]).toEqual([line, code])
    }
  }
  /** Makes a call as the merchant's own program does. */
  const call = async (base: string, path: string, fields: Record<string, string>) => {
    const answer = await fetch(base + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.apiKey}`, 'content-type': FORM_TYPE },
      body: encodeForm(fields),
    })
    const body: any = await answer.json()
    return { status: answer.status, body }
  }
  const program = async (base: string) => {
    const fields = { idNumber: '11222333-9', amount: '250000', entityId: shop.entityId, externalTrxId: 'order-1' }
    const evaluated = await call(base, '/partner/pre-loan-request/bnpl', fields)
    const early = await call(base, '/partner/pre-approve/order-1/loan', {})
    await service.control('pay', { externalTrxId: 'order-1' }).catch(() => {})
    await call(base, '/partner/pre-approve/order-1/loan', {})
    return [Object.keys(evaluated.body.data).sort(), early.status, early.body.code]
  }
  const asThere = [['idPreAprobacion', 'installmentOptions'], 409, 'ERR_LOAN_NOT_FOUND']

  try {
    const lines = blocksOf(PAGE, { only: FIRST_DAY }).flatMap(({ script }) => linesOf(script))
    const next = (start: string): string => {
      const line = lines.shift() ?? ''
      expect(line).toMatch(new RegExp(`^${start}`))
      return line
    }
    await run(next('bnpl profiles add acme '))
    await run(next('bnpl profiles add-secret acme'))
    await run(next('bnpl doctor'))
    const smoke = next('bnpl smoke').replace(
      ' --webhook-url https://shop.example/hook',
      ' --webhook-url https://shop.example/hook',
    )
    expect((await m.run(smoke.replace(/^bnpl /, ''))).code).toBeOneOf([0, 10])
    await during(next('bnpl proxy'), async ({ url }) => {
      next('BNPL_BASE_URL=http://127.0.0.1:4557 npm test')
      expect(await program(url)).toEqual(asThere)
    })
    await during(
      next('bnpl webhooks listen'),
      async ({ url }) => {
        const body = JSON.stringify({ eventId: 'e-1', data: { externalTrxId: 'order-1', loanAmount: 250_000 } })
        const proof = sign(Buffer.from(body), secret, { algorithm: 'sha256', encoding: 'hex' })
        expect((await fetch(url, { method: 'POST', headers: { 'service-signature': proof }, body })).status).toBe(200)
      },
      0,
    )
    await run(next('bnpl contract check'))
    const learnt = await run(next('bnpl contract learn'))
    expect(learnt.stdout).toContain('idPreAprobacion')
    await run(next('bnpl profiles set service'))
    expect((await m.run('profiles show acme --json')).json().notYet.value).toContain('409')
    await during(next('bnpl sandbox start'), async ({ baseUrl, partners }) => {
      const status = (await run(`${next('bnpl sandbox status')} --json`)).json()
      expect(status.service.answers.length).toBeGreaterThan(10)
      expect((await run(next('bnpl contract gaps'))).stdout).toMatch(/idPreAprobacion \(preApproveIdField; learnt/)
      Object.assign(shop, partners[0])
      expect(await program(baseUrl)).toEqual(asThere)
    })
    expect(lines).toEqual([])
  } finally {
    await service.close()
  }
})
