import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contextOf, machineOfTest } from '../../test/kit/command-context.ts'
import { historyKey, remember, transactionOf } from './history-notes.ts'

function command() {
  const m = machineOfTest()
  const { world, stderr } = m.world({ env: { BNPL_BASE_URL: 'https://api.example.com/v1', BNPL_API_KEY: 'k' } })
  return { m, context: contextOf(world), stderr }
}

test('without a profile the history is kept under the origin of the service', async () => {
  const { context } = command()
  expect(historyKey(await context.settings())).toBe('https://api.example.com')
})

test('a transaction is found by its id; without an id the latest transaction is used, with a note', async () => {
  const { context, stderr } = command()
  await remember(context, 'T1', { amount: 1000 })
  await remember(context, 'T2', { amount: 2000, preApproveId: 'P2' })
  expect(await transactionOf(context, 'T1')).toMatchObject({ externalTrxId: 'T1', known: { amount: 1000 } })
  expect(await transactionOf(context, 'T9')).toEqual({ externalTrxId: 'T9', known: undefined })
  expect(stderr()).toBe('')
  expect(await transactionOf(context, undefined)).toMatchObject({ externalTrxId: 'T2', known: { preApproveId: 'P2' } })
  expect(stderr()).toBe('Using the last transaction of https://api.example.com: T2\n')
})

test('without an id and without a history the error names the option', async () => {
  const { context } = command()
  await expect(transactionOf(context, undefined)).rejects.toMatchObject({
    kind: 'config',
    code: 'NO_TRANSACTION',
    hint: expect.stringContaining('--trx'),
  })
})

test('if the history cannot be written, a warning shows the id that would be lost', async () => {
  const { m, context, stderr } = command()
  writeFileSync(m.stateDir, 'a file in the place of the folder')
  await remember(context, 'T1', { preApproveId: 'P1' })
  expect(stderr()).toContain('the local history could not be written')
  expect(stderr()).toContain('Keep this id: preApproveId P1')
})
