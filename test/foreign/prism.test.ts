import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ENDPOINT_NAMES, matchEndpoint } from '../../src/contract/endpoints.ts'
import { beginDay } from '../day.ts'
import { document } from './document.ts'
import { prismProxy } from './prism.ts'

const PATHS = {
  'paths.evaluationByLead': '/partner/pre-approve/lead/{leadId}',
  'paths.leads': '/partner/leads',
  'paths.lead': '/partner/leads/{leadId}',
}

const SUBSCRIPTION = '--event new_lead --event pre_approve --filter outcome=approved --project 7'

test('prism between the command line and the sandbox finds nothing in a session of every command', async () => {
  const day = await beginDay()
  const { baseUrl, paymentUrl, partners } = JSON.parse(readFileSync(join(day.m.dir, 'sandbox-start.json'), 'utf8'))
  await using prism = await prismProxy(JSON.parse(await document()), baseUrl)
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
    for (const [setting, path] of Object.entries(PATHS)) await must(`profiles set ${setting} ${path} -p ${name}`)
  }
  const own = [
    { line: 'evaluate -p shop --rut 11111111-1 --amount 250000 --trx T3', code: 0 },
    { line: 'verify T9 -p shop', code: 6 },
    { line: `evaluations get --lead-id ${day.lead.leadId} -p estate`, code: 0 },
    { line: `webhooks subscribe http://127.0.0.1:1/both ${SUBSCRIPTION} -p estate`, code: 0 },
  ]
  // `sandbox …` and a walkthrough that pays there use the sandbox's own controls; doctor asks the base address whether anything answers.
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
  // A report is opened from its link at the address that the link has.
  const called = new Set(prism.requests.map((request) => matchEndpoint(...split(request))?.name))
  expect(ENDPOINT_NAMES.filter((name) => !called.has(name))).toEqual(['openInforme'])
  // The same in JSON, where a profile may ask for it.
  for (const [body, profile, line] of [
    ['verification', 'shop', 'verify T1'],
    ['registration', 'shop', 'webhooks add http://127.0.0.1:1/json'],
    ['subscription', 'estate', `webhooks subscribe http://127.0.0.1:1/json ${SUBSCRIPTION}`],
  ]) {
    await must(`profiles set bodies.${body} json -p ${profile}`)
    await must(`${line} -p ${profile}`)
    expect(prism.violations).toEqual([])
  }
  // It does look: a document that names another field is not what is sent.
  await using other = await prismProxy(JSON.parse((await document()).replaceAll('eventTypes[]', 'events')), baseUrl)
  await must(`profiles add other --base-url ${other.url} --api-key-stdin`, partners[1].apiKey)
  const { code } = await day.run(`webhooks subscribe http://127.0.0.1:1/both ${SUBSCRIPTION} -p other`)
  expect([code, other.violations]).toEqual([5, [expect.stringContaining('UNPROCESSABLE_ENTITY')]])
  await day.end()
})

function split(request: string): [method: string, path: string] {
  const [method = '', path = ''] = request.split(' ')
  return [method, path]
}
