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
import { PUBLISHED, publishedService, servePublished } from '../kit/published-service.ts'
import { random } from '../kit/seed.ts'

const PAGE = 'docs/the-first-day.md'

/** How the real service of the first walk differs from the sandbox. */
const REAL = {
  preApproveIdField: { answer: 'idPreAprobacion' },
  notYet: { answer: '409' },
  errorForm: { answer: 'flat' },
}

/** A service to which a merchant has an account. */
interface Service {
  baseUrl: string
  paymentUrl: string
  apiKey: string
  publicKey: string
  entityId: string
  secret: string
  /** The options of `profiles add` that the page advises for this service. */
  options: string
  pay(externalTrxId: string): Promise<void>
  /** A signed delivery of `loan_approved`. */
  delivery(externalTrxId: string): { headers: Record<string, string>; body: string }
  /** The fields of an evaluation, and the status and the code of a verification before the payment. */
  answers: unknown
  /** What is learnt of the service. */
  learnt: RegExp
  /** An answer that a sandbox with the learnt description gives. */
  asked: RegExp
  close(): Promise<void>
}

async function sandboxWithDifferences(): Promise<Service> {
  const real = readDescription({ kind: 'bnpl service description', version: 1, fields: REAL }, 'real')
  const description = real.ok ? real.description : undefined
  const service = await openPrivateSandbox({ port: 0, clock: realClock, random, description, onError: () => {} })
  const [account] = service.accounts
  if (account === undefined) throw new Error('no account')
  const secret = 'whsec-of-the-first-day-4711'
  return {
    ...account,
    baseUrl: service.baseUrl,
    paymentUrl: service.paymentUrl,
    secret,
    options: '',
    async pay(externalTrxId) {
      await service.control('pay', { externalTrxId }).catch(() => {})
    },
    delivery(externalTrxId) {
      const body = JSON.stringify({ eventId: 'e-1', data: { externalTrxId, loanAmount: 250_000 } })
      const proof = sign(Buffer.from(body), secret, { algorithm: 'sha256', encoding: 'hex' })
      return { headers: { 'service-signature': proof }, body }
    },
    answers: [['idPreAprobacion', 'installmentOptions'], 409, 'ERR_LOAN_NOT_FOUND'],
    learnt: /idPreAprobacion/,
    asked: /idPreAprobacion \(preApproveIdField; learnt/,
    close: () => service.close(),
  }
}

async function publishedOverHttp(): Promise<Service> {
  const service = publishedService()
  const served = await servePublished(service)
  return {
    baseUrl: served.baseUrl,
    paymentUrl: `${served.baseUrl}/pay`,
    apiKey: PUBLISHED.key,
    publicKey: 'pk_published',
    entityId: 'ex-0000000000000001',
    secret: PUBLISHED.webhookSecret,
    options: ' --service banca.me',
    async pay(externalTrxId) {
      service.pay(externalTrxId)
    },
    delivery: service.delivery,
    answers: [['installmentOptions', 'preApproveId'], 404, undefined],
    learnt: /date-time/,
    asked: /bancame-signature/,
    close: () => served[Symbol.asyncDispose](),
  }
}

/** Returns the command lines of a block. */
const linesOf = (script: string) => script.replaceAll('\\\n', ' ').split('\n')

test.each([
  ['a service that differs from the specification', sandboxWithDifferences],
  ['the service that banca.me publishes', publishedOverHttp],
])(
  'the first day of docs/the-first-day.md works, from adding an account to starting a sandbox like the service: %s',
  async (_, open) => {
    using m = machine()
    const service = await open()
    writeFileSync(join(m.dir, 'key.txt'), service.apiKey, { mode: 0o600 })
    writeFileSync(join(m.dir, 'secret.txt'), service.secret, { mode: 0o600 })
    const toService = (line: string) =>
      line
        .replace('https://api-beta.example', service.baseUrl)
        .replace('https://pay-beta.example', service.paymentUrl)
        .replace('pk-beta-acme', service.publicKey)
        .replace('acme-beta', service.entityId)
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
    const call = async (base: string, key: string, path: string, fields: Record<string, string>) => {
      const answer = await fetch(base + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': FORM_TYPE },
        body: encodeForm(fields),
      })
      const body: any = await answer.json()
      return { status: answer.status, body }
    }
    const program = async (base: string, { apiKey, entityId }: Pick<Service, 'apiKey' | 'entityId'>) => {
      const order = { amount: '250000', entityId, externalTrxId: 'order-1' }
      const ask = (path: string, fields: Record<string, string>) => call(base, apiKey, path, fields)
      const evaluated = await ask('/partner/pre-loan-request/bnpl', { ...order, idNumber: '11222333-9' })
      const early = await ask('/partner/pre-approve/order-1/loan', {})
      const { preApproveId } = evaluated.body.data
      const session = { ...order, email: 'ana@example.com', ...(service.options && { preApproveId }) }
      await ask('/partner/widget/start', session)
      await service.pay('order-1').catch(() => {})
      await ask('/partner/pre-approve/order-1/loan', {})
      return [Object.keys(evaluated.body.data).sort(), early.status, early.body.code]
    }

    try {
      const lines = blocksOf(PAGE, { only: FIRST_DAY }).flatMap(({ script }) => linesOf(script))
      const next = (start: string): string => {
        const line = lines.shift() ?? ''
        expect(line).toMatch(new RegExp(`^${start}`))
        return line
      }
      await run(next('bnpl profiles add acme ') + service.options)
      await run(next('bnpl profiles add-secret acme'))
      await run(next('bnpl doctor'))
      const smoke = await m.run(next('bnpl smoke').replace(/^bnpl /, ''))
      expect(smoke.code, smoke.stdout + smoke.stderr).toBeOneOf([0, 10])
      await during(next('bnpl proxy'), async ({ url }) => {
        next('BNPL_BASE_URL=http://127.0.0.1:4557 npm test')
        expect(await program(url, service)).toEqual(service.answers)
      })
      await during(
        next('bnpl webhooks listen'),
        async ({ url }) => {
          expect((await fetch(url, { method: 'POST', ...service.delivery('order-1') })).status).toBe(200)
        },
        0,
      )
      await run(next('bnpl contract check'))
      const learnt = await run(next('bnpl contract learn'))
      expect(learnt.stdout).toMatch(service.learnt)
      await run(next('bnpl profiles set service'))
      await during(next('bnpl sandbox start'), async ({ baseUrl, partners }) => {
        const status = (await run(`${next('bnpl sandbox status')} --json`)).json()
        expect(status.service.answers.length).toBeGreaterThan(10)
        expect((await run(next('bnpl contract gaps'))).stdout).toMatch(service.asked)
        expect(await program(baseUrl, partners[0])).toEqual(service.answers)
      })
      expect(lines).toEqual([])
    } finally {
      await service.close()
    }
  },
)
