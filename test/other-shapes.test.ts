import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { once } from '../src/lifetime.ts'
import { machineOfTest } from './kit/command-context.ts'
import { commandNames, isOf } from './kit/every-command.ts'
import { machine, type Ran } from './kit/harness.ts'
import { type Passing, reshaping, SHAPES, type Shape } from './kit/other-shapes.ts'
import { BASE, sandboxKit } from './kit/sandbox-kit.ts'

const URL_1 = 'https://shop.example/hook'
const PAGE = '--success-url https://shop.example/ok --error-url https://shop.example/no'

type Shop = Awaited<ReturnType<typeof shop>>

/**
 * Returns a machine with a profile for each kind of partner. Their service answers in the given shape. `stderr` collects what all commands
 * printed there.
 */
async function shop(shape: Shape) {
  const kit = await sandboxKit()
  const profile = ({ publicKey, entityId, apiKey }: typeof kit.bnpl) => ({
    ...{ environment: 'beta', baseUrl: BASE, paymentUrl: `${BASE}/pay`, publicKey, entityId, apiKey },
    'paths.evaluationByLead': '/partner/pre-approve/lead/{leadId}',
    'paths.leads': '/partner/leads',
    'paths.lead': '/partner/leads/{leadId}',
  })
  const m = machineOfTest({ shop: profile(kit.bnpl), crm: profile(kit.estate) })
  const passed: Passing[] = []
  const transport = reshaping(shape, kit.sandbox.transport, BASE, (passing) => passed.push(passing))
  let stderr = ''
  const lines: string[] = []
  let waited: (() => Promise<unknown>) | undefined
  const clock = {
    ...kit.clock,
    sleep: async (ms: number) => {
      await waited?.()
      waited = undefined
      kit.clock.advance(ms)
    },
  }
  const run = async (line: string, code = 0): Promise<Ran> => {
    lines.push(line)
    const ran = await m.run(line, { transport, clock })
    expect([line, ran.code], ran.stderr).toEqual([line, code])
    stderr += ran.stderr
    return ran
  }
  return {
    kit,
    dir: m.dir,
    run,
    /** The command lines that were run. */
    lines,
    /** Returns the answers of the sandbox since the last call of this function. */
    passed: () => passed.splice(0),
    stderr: () => stderr,
    /** Calls `act` once, when a command waits for the next time. */
    inTheWait(act: () => Promise<unknown>) {
      waited = act
    },
    async [Symbol.asyncDispose]() {
      await kit[Symbol.asyncDispose]()
    },
  }
}

/** Runs the commands of a shop: a payment, its report, its destinations. */
async function payments({ run, kit, dir, inTheWait }: Shop, { early = 6 }: Shape) {
  const evaluated = (await run('evaluate -p shop --rut 11222333-9 --amount 250000 --trx T1 --json')).json()
  expect(evaluated).toMatchObject({ externalTrxId: 'T1', preApproveId: expect.any(String) })
  const { preApproveId } = evaluated
  await run('evaluate -p shop --rut 11222333-9 --amount 250000 --trx T2')
  expect((await run('select -p shop --installments 6 --trx T1 --json')).json()).toMatchObject({
    loanRequestId: expect.any(String),
    preApproveId,
  })
  await run('select -p shop --installments 6 --trx T2')
  await run('widget-token -p shop --email ana@example.com --trx T1 --raw')
  await run(`pay-url -p shop --email ana@example.com --trx T1 ${PAGE}`)
  await run('verify T1 -p shop', early)
  inTheWait(() => kit.control('pay', { externalTrxId: 'T1' }))
  const waited = (await run('verify T1 -p shop --wait 1m --expect-amount 250000 --json')).json()
  expect(waited).toMatchObject({ externalTrxId: 'T1', state: 'ACTIVE', loanAmount: 250_000 })
  expect((await run(`verify ${preApproveId} -p shop --json`)).json()).toEqual(waited)
  await run('verify T1 -p shop')
  expect((await run(`informe get ${preApproveId} -p shop --json`)).json()).toMatchObject({ preApproveId })
  expect((await run(`informe download ${preApproveId} -p shop --json`)).json()).toMatchObject([{ preApproveId }])
  await run('informe get no-such-id -p shop', 6)
  writeFileSync(join(dir, 'customers.csv'), 'rut,amount,externalTrxId\n11222333-9,250000,T3\n')
  writeFileSync(join(dir, 'orders.csv'), 'externalTrxId,expectedAmount\nT1,250000\n')
  writeFileSync(join(dir, 'reports.csv'), `preApproveId\n${preApproveId}\n`)
  await run('evaluate -p shop --from customers.csv --out options.csv --yes')
  await run('verify -p shop --from orders.csv')
  await run('informe download -p shop --from reports.csv --dir reports --out saved.csv')
  await run(`informe open ${preApproveId} -p shop`)
  inTheWait(() => kit.control('pay', { externalTrxId: 'T4' }))
  const customer = '--rut 11222333-9 --amount 250000 --email ana@example.com'
  const walked = (await run(`walkthrough -p shop ${customer} --trx T4 --wait 1m --json`)).json()
  expect(walked).toMatchObject({ payment: 'paid', loan: { state: 'ACTIVE' } })
  await run('doctor -p shop')
  await run('api GET /partner/webhook -p shop')
}

async function checks({ run }: Shop) {
  await run('smoke -p shop --rut 11222333-9 --webhook-url https://smoke.example/hook')
}

async function destinations({ run }: Shop) {
  const list = async (profile: string) => (await run(`webhooks list -p ${profile} --json`)).json()
  expect(await list('shop')).toEqual([])
  await run(`webhooks add ${URL_1} -p shop --if-missing --json`)
  const again = await run(`webhooks add ${URL_1} -p shop --if-missing`)
  expect(again.stderr).toContain('already registered')
  const { stdout } = await run('webhooks list -p shop --json')
  expect(JSON.parse(stdout)).toMatchObject([{ url: URL_1 }])
  const id = fieldOf(stdout, 'id')
  await run('webhooks list -p shop')
  expect((await run(`webhooks rm ${id} -p shop --json`)).json()).toEqual([{ id, deleted: true }])
  await run(`webhooks rm ${id} -p shop`, 6)
  await run(`webhooks add ${URL_1} -p shop`)
  await run(`webhooks rm --url ${URL_1} -p shop`)
  expect(await list('shop')).toEqual([])

  const subscribe = `webhooks subscribe ${URL_1} -p crm --event new_lead,pre_approve --filter outcome=approved --if-missing`
  await run(subscribe)
  expect((await run(subscribe)).stderr).toContain('already registered')
  await run(`webhooks subscribe ${URL_1} -p shop --event new_lead`, 5)
  expect(await list('crm')).toHaveLength(1)
  await run(`webhooks rm --url ${URL_1} -p crm`)
}

async function leads({ run, kit }: Shop) {
  expect((await run('leads list -p crm --json')).json()).toEqual([])
  await kit.control('lead', { now: true, rut: '12345678-5' })
  const { stdout } = await run('leads list -p crm --json')
  const [{ idPreAprobacion }, ...more] = JSON.parse(stdout)
  expect(more).toEqual([])
  await run('leads list -p crm')
  const leadId = fieldOf(stdout, 'leadId')
  expect((await run(`leads get ${leadId} -p crm --json`)).json()).toMatchObject({ rut: '12345678-5' })
  for (const which of [`--lead-id ${leadId}`, '--rut 12345678-5'])
    expect((await run(`evaluations get ${which} -p crm --json`)).json()).toMatchObject({ idPreAprobacion })
  await run('evaluations get --rut 11222333-9 -p crm', 6)
  await run(`informe download ${idPreAprobacion} -p crm`)
}

/** Commands of these groups that this test does not run, with the reasons. */
const NOT_HERE: Record<string, string> = {
  'webhooks listen': 'registers and removes with the calls of add and rm',
  'webhooks events confirm': 'asks with the calls of verify and of evaluations get',
  'webhooks events list': 'does not call the service',
  'webhooks events show': 'does not call the service',
  'webhooks events replay': 'does not call the service',
  'webhooks events prune': 'does not call the service',
  'webhooks trigger': 'does not call the service',
  'webhooks test': 'does not call the service',
  'webhooks vectors': 'does not call the service',
  'webhooks verify-signature': 'does not call the service',
}

const GROUPS = /^(walkthrough|evaluate|select|widget-token|pay-url|verify|webhooks|leads|evaluations|informe|smoke)\b/

/** Finds a field in JSON, and matches a number with all its digits. */
const fieldOf = (json: string, name: string) => new RegExp(`"${name}": "?([\\w-]+)`).exec(json)?.[1]

using none = machine()
const { leaves } = await commandNames(none.world().world)
const PARTS = [payments, checks, destinations, leads]

/** The answers of the unchanged sandbox in each part. */
const plain = once(async () => {
  const [asItIs] = SHAPES
  await using at = await shop(asItIs)
  const answers = new Map<(typeof PARTS)[number], Passing[]>()
  for (const part of PARTS) {
    await part(at, asItIs)
    answers.set(part, at.passed())
  }
  expect(at.stderr()).not.toContain('specification does not show')
  const left = leaves.filter((name) => GROUPS.test(name) && !at.lines.some(isOf(name)))
  expect(left.sort()).toEqual(Object.keys(NOT_HERE).sort())
  return answers
})

const changes = (shape: Shape, passing: Passing) => {
  const { status = passing.status, headers = passing.headers, body = passing.body, text } = shape.answer(passing)
  const isSame = status === passing.status && headers === passing.headers
  return !isSame || text !== undefined || JSON.stringify(body) !== JSON.stringify(passing.body)
}

test.each(SHAPES.map((shape) => [shape.name, shape] as const))(
  'every command of the payment, the destinations and the reports works on a service with %s',
  async (_, shape) => {
    // A part is run again only if the shape changes one of its answers.
    const answers = await plain()
    const touched = PARTS.filter((part) => answers.get(part)?.some((passing) => changes(shape, passing)))
    expect(touched.length > 0).toBe(shape !== SHAPES[0])
    if (touched.length === 0) return
    await using at = await shop(shape)
    for (const part of touched) await part(at, shape)
    if (shape.warns) expect(at.stderr()).toMatch(shape.warns)
    else expect(at.stderr()).not.toContain('specification does not show')
  },
)
