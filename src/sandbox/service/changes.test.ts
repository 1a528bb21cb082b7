import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sandboxKit } from '../../../test/kit/sandbox-kit.ts'
import type { ShownCause } from './cause.ts'

let snapshotDir: string
beforeEach(() => {
  snapshotDir = join(mkdtempSync(join(tmpdir(), 'bnpl-marks-')), 'snapshots')
})
afterEach(() => rmSync(join(snapshotDir, '..'), { recursive: true, force: true }))

const MARK = { name: 'mark' }

/** Returns a cause as a short text, such as `startWidget T1: + token`. */
const inShort = ({ by, about, request, changes }: ShownCause) => {
  const made = changes.map(({ how, kind }) => `${{ came: '+', changed: '~', went: '-' }[how]} ${kind}`)
  return `${request?.endpoint ?? by} ${about}: ${made.join(', ')}`
}

test('changes since a snapshot are listed by cause, survive a restart, and are empty after loading the snapshot', async () => {
  await using kit = await sandboxKit({ snapshotDir })
  await kit.evaluate('T0')
  await kit.control('snapshotSave', MARK)
  const at = (await kit.control('changes', MARK)).data.at
  expect((await kit.control('changes', MARK)).data).toMatchObject({ requests: 0, changes: 0, causes: [] })

  const step = async (work: () => Promise<unknown>) => {
    kit.clock.advance(1000)
    await work()
  }
  await step(() => kit.evaluate('T1'))
  await step(() => kit.startWidget('T1'))
  const url = 'https://shop.example/hook'
  await step(() => kit.send('POST', '/partner/webhook', { form: { url } }))
  const [{ id, secret }] = kit.store.db.all<any>('select * from webhooks')
  await step(() => kit.control('pay', { externalTrxId: 'T1' }))
  await step(() => kit.control('pay', { externalTrxId: 'T0' }))
  await step(() => kit.verify('T1'))
  await step(() => kit.verify('nothing'))
  await step(() => kit.send('DELETE', `/partner/webhook/${id}`))
  const found = await kit.control('changes', MARK)
  expect(found.data.at).toBe(at)
  expect(found.data.causes.map(inShort)).toEqual([
    `deleteWebhook ${id}: ~ delivery, ~ delivery, - destination`,
    'verifyLoan nothing: ',
    'verifyLoan T1: ~ loan',
    'customer T0: + token, ~ token, + loan, + event, + delivery',
    'customer T1: ~ token, + loan, + event, + delivery',
    'registerWebhook null: + destination',
    'startWidget T1: + token',
    'evaluate T1: + evaluation',
  ])
  expect(found.text).not.toContain('11222333')
  for (const hidden of [secret, kit.bnpl.apiKey]) expect(found.text).not.toContain(hidden)
  const [first] = (await kit.control('changes', { ...MARK, limit: 1, onlyChanges: true })).data.causes
  expect(inShort(first)).toBe(`deleteWebhook ${id}: ~ delivery, ~ delivery, - destination`)

  await using again = await sandboxKit({ snapshotDir, place: kit.place })
  expect((await again.control('changes', MARK)).data).toMatchObject({ at, total: 8 })
  await again.control('snapshotLoad', MARK)
  expect((await again.control('changes', MARK)).data).toMatchObject({ at, total: 0 })
  expect(await kit.verify('T1')).toMatchObject({ status: 404 })
})

test('every kind of write is listed under what caused it, with what differs', async () => {
  await using kit = await sandboxKit({ snapshotDir, allowHttp: true })
  const fault = (fields: object) => kit.control('faultAdd', fields)
  await kit.evaluate('T0')
  await kit.control('snapshotSave', MARK)
  const listed = async () => {
    const { causes } = (await kit.control('changes', { ...MARK, onlyChanges: true })).data
    return causes.map(({ by, about, request, changes }: ShownCause) => [
      request?.endpoint ?? by,
      about,
      ...changes.map(({ how, kind, fields }) =>
        [
          { came: '+', changed: '~', went: '-' }[how],
          kind,
          ...fields.map((f) => `${f.name} ${f.before}>${f.after}`),
        ].join(' '),
      ),
    ])
  }
  /** Does something later than everything before, and returns the causes that it adds, the latest first. */
  const adds = async (work: () => Promise<unknown>) => {
    const before = (await listed()).length
    kit.clock.advance(1000)
    await work()
    const after = await listed()
    return after.slice(0, after.length - before)
  }

  // Two requests of one millisecond about one transaction each have their own row.
  const two = await adds(async () => [await kit.evaluate('T1'), await kit.evaluate('T1')])
  expect(two.map(([by, about, change]: string[]) => [by, about, change?.split(' ')[1]])).toEqual([
    ['evaluate', 'T1', 'evaluation'],
    ['evaluate', 'T1', 'evaluation'],
  ])

  expect(await adds(() => kit.control('clock', { advanceMs: 60_000 }))).toEqual([
    ['control', null, '~ clock aheadMs 0>60000'],
  ])
  expect(await adds(() => kit.control('deliverySchedule', { stepsMs: [1000, 2000] }))).toEqual([
    ['control', null, '~ retries waits null>1s,2s'],
  ])
  expect(await adds(() => kit.control('deliverySchedule', { stepsMs: [3000] }))).toEqual([
    ['control', null, '~ retries waits 1s,2s>3s'],
  ])

  // A fault is used up by the call that met it, whoever made this call.
  const cut = { endpoint: 'verifyLoan', status: 503, skip: 1, times: 2 }
  expect(await adds(() => fault(cut))).toEqual([
    ['control', 'verifyLoan', '+ fault fault null>503, times null>2, skip null>1'.replaceAll(',', '')],
  ])
  expect(await adds(() => kit.verify('T1'))).toEqual([['verifyLoan', 'T1', '~ fault skip 1>0']])
  expect(await adds(() => kit.verify('T1'))).toEqual([['verifyLoan', 'T1', '~ fault times 2>1']])
  expect(await adds(() => kit.verify('T1'))).toEqual([['verifyLoan', 'T1', '- fault fault 503>null times 1>null']])
  await fault({ endpoint: 'page', kind: 'no-return' })
  await fault({ endpoint: 'download', status: 503 })
  expect(await adds(() => kit.sandbox.payments.takeFault())).toMatchObject([
    ['customer', 'page', expect.stringContaining('- fault')],
  ])
  const download = () => kit.send('GET', '/_storage/informes/x.pdf', { key: null })
  expect(await adds(download)).toMatchObject([['request', 'download', expect.stringContaining('- fault')]])
  await fault(cut)
  expect(await adds(() => kit.control('faultClear'))).toMatchObject([
    ['control', 'verifyLoan', expect.stringContaining('- fault')],
  ])

  // A lead, its evaluation when it is due, and a changed parameter.
  const form = { url: 'http://127.0.0.1:1/', eventTypes: ['pre_approve'] }
  await kit.send('POST', '/partner/webhook/subscription', { form, key: kit.estate.apiKey })
  let leadId = ''
  const lead = await adds(async () => {
    leadId = (await kit.control('lead', { evaluateInMs: 5_000 })).data.leadId
  })
  expect(lead).toMatchObject([['control', leadId, expect.stringMatching(/^\+ lead/), '+ event type null>new_lead']])
  const due = await adds(async () => {
    kit.clock.advance(5_000)
    await kit.sandbox.tick()
    await kit.sandbox.deliverer.idle(5_000)
  })
  expect(due).toMatchObject([
    [
      'time',
      leadId,
      expect.stringMatching(/^\+ evaluation/),
      '+ event type null>pre_approve',
      // The delivery is listed with its answers, because it is as new as its event.
      '+ delivery type null>pre_approve state null>pending answers null>ECONNREFUSED',
    ],
  ])
  const [{ id: preApproveId }] = kit.store.db.all<any>('select id from preApprovals where leadId is not null')
  expect(await adds(() => kit.control('revise', { preApproveId, parameters: { puntajeRiesgo: 1 } }))).toMatchObject([
    ['control', expect.stringContaining('•'), expect.stringMatching(/^~ evaluation puntajeRiesgo \d+>1$/)],
  ])

  // An attempt at a delivery that was queued before the mark is a cause of its own, and so is a repetition that a user asks for.
  await kit.control('snapshotSave', MARK)
  const retried = await adds(async () => {
    kit.clock.advance(10_000)
    await kit.sandbox.tick()
    await kit.sandbox.deliverer.idle(5_000)
  })
  expect(retried).toEqual([['delivery', leadId, '~ delivery answers null>ECONNREFUSED state pending>failed']])
  const [{ id: deliveryId }] = kit.store.db.all<any>('select id from deliveries')
  expect(await adds(() => kit.control('deliver', { deliveryId }))).toEqual([
    ['control', leadId, '~ delivery answers null>ECONNREFUSED (again)'],
  ])
  expect(JSON.stringify(kit.store.db.all('select * from changes'))).not.toContain('11222333')
})

test('after a load, the list begins at the loaded snapshot, and for another snapshot it has what the load changed', async () => {
  await using kit = await sandboxKit({ snapshotDir })
  const since = async (name: string) => (await kit.control('changes', { name })).data.causes.map(inShort)
  await kit.control('snapshotSave', { name: 'empty' })
  await kit.evaluate('T1')
  await kit.control('snapshotSave', { name: 'one' })
  kit.clock.advance(1000)
  await kit.evaluate('T2')
  kit.clock.advance(1000)
  await kit.control('snapshotLoad', { name: 'one' })
  expect(await since('one')).toEqual([])
  expect(await since('empty')).toEqual([
    'state null: - evaluation',
    'request T2: + evaluation',
    'evaluate T1: + evaluation',
  ])
  kit.clock.advance(1000)
  await kit.control('snapshotLoad', { name: 'empty' })
  expect(await since('one')).toEqual(['state null: - evaluation'])
  await kit.evaluate('T3')
  expect(await since('empty')).toEqual(['evaluate T3: + evaluation'])
})

test('changes since an unknown snapshot, or a snapshot of another sandbox, are refused with the reason', async () => {
  await using kit = await sandboxKit({ snapshotDir })
  expect(await kit.control('changes', MARK)).toMatchObject({ status: 404, code: 'ERR_SNAPSHOT_NOT_FOUND' })
  await using other = await sandboxKit({ snapshotDir })
  await other.control('snapshotSave', MARK)
  expect(await kit.control('changes', MARK)).toMatchObject({ status: 422, code: 'ERR_SNAPSHOT_OF_ANOTHER_SANDBOX' })
})

test('a reset is listed as one cause, with only the first 100 of its deletions', async () => {
  await using kit = await sandboxKit({ snapshotDir })
  for (let i = 0; i < 110; i++) await kit.evaluate(`T${i}`)
  await kit.control('snapshotSave', MARK)
  await kit.control('reset')
  const { causes, changes } = (await kit.control('changes', MARK)).data
  expect(changes).toBe(110)
  expect(causes).toMatchObject([{ by: 'state', more: 10 }])
  expect(causes[0].changes).toHaveLength(100)
})
