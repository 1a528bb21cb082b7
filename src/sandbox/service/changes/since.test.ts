import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sandboxKit } from '../../../../test/sandbox-kit.ts'
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
    `deleteWebhook ${id}: `,
    'verifyLoan nothing: ',
    'verifyLoan T1: ~ loan',
    'customer T0: + token, ~ token, + loan, + event, + delivery',
    'customer T1: ~ token, + loan, + event, + delivery',
    'registerWebhook null: ',
    'startWidget T1: + token',
    'evaluate T1: + evaluation',
  ])
  expect(found.text).not.toContain('11111111')
  for (const hidden of [secret, kit.bnpl.apiKey]) expect(found.text).not.toContain(hidden)
  const [first] = (await kit.control('changes', { ...MARK, limit: 1, onlyChanges: true })).data.causes
  expect(inShort(first)).toBe('verifyLoan T1: ~ loan')

  await using again = await sandboxKit({ snapshotDir, place: kit.place })
  expect((await again.control('changes', MARK)).data).toMatchObject({ at, total: 8 })
  await again.control('snapshotLoad', MARK)
  expect((await again.control('changes', MARK)).data).toMatchObject({ at, total: 0 })
  expect(await kit.verify('T1')).toMatchObject({ status: 404 })
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
