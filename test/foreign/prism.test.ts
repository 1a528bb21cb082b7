import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../src/cli.ts'
import { ENDPOINT_NAMES, matchEndpoint } from '../../src/contract/endpoints.ts'
import { beginDay, type Day } from '../kit/day.ts'
import { machine, realClock } from '../kit/harness.ts'
import { until } from '../receiver/listener.ts'
import { document } from './document.ts'
import { prismProxy } from './prism.ts'

/** The answers of a service that has every call. */
const SETTINGS = {
  'paths.evaluationByLead': '/partner/pre-approve/lead/{leadId}',
  'paths.leads': '/partner/leads',
  'paths.lead': '/partner/leads/{leadId}',
  'paths.entities': '/partner/entity',
  'paths.entity': '/partner/entity/{entityId}',
  cancel: 'yes',
  entities: 'yes',
}

const SUBSCRIPTION = '--event new_lead --event pre_approve --filter outcome=approved --project 7'

test('the proxy prism, between the command line and the sandbox, reports no mismatch in a session of every command', async () => {
  const day = await beginDay()
  const { baseUrl, paymentUrl, partners } = day.sandbox
  await using prism = await prismProxy(JSON.parse(await document(SETTINGS)), baseUrl)
  const must = async (line: string, stdin?: string) => {
    const { code, stderr } = await day.run(line, stdin === undefined ? {} : { stdin })
    expect([line, code, stderr]).toEqual([line, 0, stderr])
  }
  for (const [name, { apiKey, entityId, publicKey }] of [
    ['shop', partners[0]],
    ['estate', partners[1]],
  ]) {
    const account = `--base-url ${prism.url} --payment-url ${paymentUrl} --entity-id ${entityId} --public-key ${publicKey}`
    await must(`profiles add ${name} ${account} --api-key-stdin`, apiKey)
    for (const [setting, value] of Object.entries(SETTINGS)) await must(`profiles set ${setting} ${value} -p ${name}`)
  }
  const own = [
    { line: 'evaluate -p shop --rut 11222333-9 --amount 250000 --trx T3', code: 0 },
    { line: 'verify T9 -p shop', code: 6 },
    { line: `evaluations get --lead-id ${day.lead.leadId} -p estate`, code: 0 },
    { line: `webhooks subscribe http://127.0.0.1:1/both ${SUBSCRIPTION} -p estate`, code: 0 },
  ]
  // `sandbox …` calls the sandbox's own control paths, which are not in the contract. The walkthrough and doctor are tested below.
  const rows = day.rows.filter(({ line }) => / -p sandbox/.test(line) && !/^(walkthrough|sandbox|doctor) /.test(line))
  expect(rows.length).toBeGreaterThan(15)
  const others = rows.map(({ line, code = 0 }) => ({
    line: line.replace(/-p sandbox:real-estate/, '-p estate').replace(/-p sandbox(?= |$)/, '-p shop'),
    code,
  }))
  for (const { line, code } of [...own, ...others]) {
    const ran = await day.run(line)
    expect([line, ran.code, ran.stderr, prism.violations]).toEqual([line, code, ran.stderr, []])
  }
  await walkThrough(day, 'shop')
  expect(prism.violations).toEqual([])
  await listen(prism.url, partners[0].apiKey)
  expect(prism.violations).toEqual([])
  // Doctor first requests the base address itself, to see whether a server answers. The document does not contain this request.
  expect(await day.run('doctor -p shop')).toMatchObject({ code: 0 })
  expect(prism.violations.splice(0)).toEqual([expect.stringContaining('NO_PATH_MATCHED')])
  expect(prism.requests.splice(prism.requests.indexOf('GET /'), 1)).toEqual(['GET /'])
  // A report is opened at the address in its link, so this endpoint alone is not called.
  const called = new Set(prism.requests.map((request) => matchEndpoint(...split(request))?.name))
  expect(ENDPOINT_NAMES.filter((name) => !called.has(name))).toEqual(['openInforme'])
  // A profile may ask for JSON, so the same calls are made in JSON.
  for (const [body, profile, line] of [
    ['verification', 'shop', 'verify T1'],
    ['registration', 'shop', 'webhooks add http://127.0.0.1:1/json'],
    ['subscription', 'estate', `webhooks subscribe http://127.0.0.1:1/json ${SUBSCRIPTION}`],
  ]) {
    await must(`profiles set bodies.${body} json -p ${profile}`)
    await must(`${line} -p ${profile}`)
    expect(prism.violations).toEqual([])
  }
  // Prism does check: a document with another name for a field causes violations.
  await using other = await prismProxy(JSON.parse((await document()).replaceAll('eventTypes[]', 'events')), baseUrl)
  await must(`profiles add other --base-url ${other.url} --api-key-stdin`, partners[1].apiKey)
  const { code } = await day.run(`webhooks subscribe http://127.0.0.1:1/both ${SUBSCRIPTION} -p other`)
  expect([code, other.violations]).toEqual([5, [expect.stringContaining('UNPROCESSABLE_ENTITY')]])
  await day.end()
})

/** Runs a walkthrough of a real account without a terminal. The customer pays while the command waits. */
async function walkThrough(day: Day, profile: string) {
  let paid: Promise<{ code: number }> | undefined
  const clock = {
    ...realClock,
    async sleep() {
      paid ??= day.run('sandbox pay T8')
      await paid
    },
  }
  const asked = '--rut 11222333-9 --amount 250000 --email ana@example.com --trx T8 --wait 1m'
  const ran = await day.run(`walkthrough ${asked} -p ${profile} --json`, { clock })
  expect([ran.code, ran.stderr]).toEqual([0, ran.stderr])
  expect([await paid, ran.json()]).toMatchObject([{ code: 0 }, { payment: 'paid', loan: { state: 'ACTIVE' } }])
}

/** Runs a listener on a machine of its own. It registers its destination, and removes the destination at Ctrl-C. */
async function listen(baseUrl: string, apiKey: string) {
  using m = machine()
  const { world, stderr } = m.world({ env: { BNPL_BASE_URL: baseUrl, BNPL_API_KEY: apiKey } })
  let signal: ((name: 'SIGINT') => void) | undefined
  world.takeSignals = (take) => {
    signal = take
    return () => {}
  }
  const file = join(m.dir, 'ready.json')
  const line = `webhooks listen --port 0 --public-url https://shop.example/public --ready-file ${file}`
  const ran = runCli(line.split(' '), world)
  await Promise.race([
    ran.then(() => Promise.reject(new Error(`it ended: ${stderr()}`))),
    until(() => existsSync(file)),
  ])
  signal?.('SIGINT')
  expect([await ran, stderr()]).toEqual([130, expect.stringContaining('Removed the destination')])
}

function split(request: string): [method: string, path: string] {
  const [method = '', path = ''] = request.split(' ')
  return [method, path]
}
