import type { Command } from 'commander'
import { beforeAll, describe, expect, test } from 'vitest'
import { createProgram, loadAll } from '../../src/cli.ts'
import { ENDPOINT_NAMES, endpointOf, KEYED_ENDPOINTS } from '../../src/contract/endpoints.ts'
import { asBnpl } from '../../src/window/views/as-command.ts'
import { machine } from '../kit/harness.ts'

/** For each command, the body with every field that it sends, as the log shows it. */
const SENT: Readonly<Record<string, Record<string, unknown>>> = {
  evaluate: { idNumber: '11222333-9', amount: '1000', entityId: 'E1', externalTrxId: 'T1' },
  select: { preApproveId: 'P1', installmentOption: '3', externalTrxId: 'T1', amount: '1000' },
  startWidget: { amount: '1000', externalTrxId: 'T1', entityId: 'E1', email: 'ana@example.com' },
  registerWebhook: { url: 'https://shop.example/hook' },
  subscribeWebhook: {
    url: 'https://shop.example/hook',
    'eventTypes[]': 'new_lead',
    'filters[outcome]': 'approved',
  },
}

test.each([
  [{ eventTypes: ['new_lead', 'pre_approve'] }],
  [{ eventTypes: 'new_lead,pre_approve' }],
  [{ eventTypes: { 0: 'new_lead', 1: 'pre_approve' } }],
])('a subscription call with %j becomes a command with both events [specification F2]', (sent) => {
  const call = { method: 'POST', path: '/partner/webhook/subscription' }
  expect(asBnpl(call, { url: 'https://a.example/h', ...sent }, 'sandbox')).toBe(
    'bnpl webhooks subscribe https://a.example/h --event new_lead --event pre_approve -p sandbox',
  )
})

test('a call to a path of production becomes a command with -p production [specification F19]', () => {
  const call = { method: 'POST', path: '/production/partner/pre-approve/T1/loan' }
  expect(asBnpl(call, {}, 'production')).toBe('bnpl verify T1 -p production')
})

test.each([
  ['POST', '/partner/pre-loan-request/bnpl', { ...SENT.evaluate, currency: 'CLP' }, 'currency'],
  ['POST', '/partner/webhook', { ...SENT.registerWebhook, active: 'true', name: 'x' }, 'active, name'],
  ['POST', '/partner/webhook/subscription', { ...SENT.subscribeWebhook, projectId: '7' }, 'projectId'],
  ['POST', '/partner/pre-approve/T1/loan', { force: '1' }, 'force'],
  ['POST', '/partner/widget/start', { ...SENT.startWidget, 'a\u001bb': '1' }, 'a\\u001bb'],
])('the command for %s %s names the fields that it does not send: %j', (method, path, sent, names) => {
  expect(asBnpl({ method, path }, sent, 'sandbox')).toMatch(/ -p sandbox # without \S/)
  expect(asBnpl({ method, path }, sent, 'sandbox')?.split(' # without ')[1]).toBe(names)
})

describe('a call of the sandbox as a command', () => {
  let program: Command
  beforeAll(async () => {
    using m = machine()
    const { world } = m.world()
    program = createProgram(world, () => {})
    await loadAll(program, world)
  })

  test.each(KEYED_ENDPOINTS)('%s: the command exists, with only known options and with the ids of the path', (name) => {
    const { method, path } = endpointOf(name)
    const line = asBnpl({ method, path: path.replaceAll(/\{\w+\}/g, 'X1') }, SENT[name] ?? {}, 'sandbox') ?? ''
    const [bnpl, ...words] = line.split(' ')
    expect(bnpl).toBe('bnpl')
    let command = program
    while (command.commands.length > 0) {
      const word = words.shift()
      const next = command.commands.find((each) => each.name() === word)
      expect(
        next,
        `${line}: src/commands/commands.ts, or the file of the group, does not define “${word}”`,
      ).toBeDefined()
      command = next as Command
    }
    const known = [...command.options, ...program.options].flatMap(({ long, short }) => [long, short])
    const options = words.filter((word) => /^-./.test(word)).map((word) => word.replace(/=.*$/, ''))
    expect(options.filter((word) => word !== '--' && !known.includes(word))).toEqual([])
    for (const id of endpointOf(name).params) expect(line, id.name).toContain('X1')
  })

  test('only the link of a report, which contains a key, has no command', () => {
    const without = ENDPOINT_NAMES.filter((name) => {
      const { method, path } = endpointOf(name)
      return asBnpl({ method, path: path.replaceAll(/\{\w+\}/g, 'X1') }, {}, 'sandbox') === null
    })
    expect(without).toEqual(['openInforme'])
  })
})
