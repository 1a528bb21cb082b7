import { writeFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { type Machine, machine } from '../../test/harness.ts'
import type { Context, GlobalOptions } from '../context.ts'
import { createStyle } from '../terminal/style.ts'
import { createContext } from '../wiring.ts'
import { historyKey, remember, transactionOf } from './history-notes.ts'

const OPTIONS: GlobalOptions = {
  profile: undefined,
  output: 'table',
  dryRun: false,
  timeoutMs: 1000,
  input: false,
  yes: false,
  verbose: false,
  quiet: false,
}

const open: { m: Machine; context: Context }[] = []
afterEach(async () => {
  for (const { m, context } of open.splice(0)) {
    await context.close()
    m[Symbol.dispose]()
  }
})

async function command() {
  const m = machine()
  const { world, stderr } = m.world({ env: { BNPL_BASE_URL: 'https://api.example.com/v1', BNPL_API_KEY: 'k' } })
  const style = await createStyle(false)
  const context = createContext(world, OPTIONS, { out: style, err: style })
  open.push({ m, context })
  return { m, context, stderr }
}

test('without a profile the history is kept under the origin of the service', async () => {
  const { context } = await command()
  expect(historyKey(await context.settings())).toBe('https://api.example.com')
})

test('a stored transaction is found by its id, and without an id the latest one, with a note', async () => {
  const { context, stderr } = await command()
  await remember(context, 'T1', { amount: 1000 })
  await remember(context, 'T2', { amount: 2000, preApproveId: 'P2' })
  expect(await transactionOf(context, 'T1')).toMatchObject({ externalTrxId: 'T1', known: { amount: 1000 } })
  expect(await transactionOf(context, 'T9')).toEqual({ externalTrxId: 'T9', known: undefined })
  expect(stderr()).toBe('')
  expect(await transactionOf(context, undefined)).toMatchObject({ externalTrxId: 'T2', known: { preApproveId: 'P2' } })
  expect(stderr()).toBe('Using the last transaction of https://api.example.com: T2\n')
})

test('without an id and without a history the error names the option', async () => {
  const { context } = await command()
  await expect(transactionOf(context, undefined)).rejects.toMatchObject({
    kind: 'config',
    code: 'NO_TRANSACTION',
    hint: expect.stringContaining('--trx'),
  })
})

test('a history that cannot be written is one warning, with the id that would be lost', async () => {
  const { m, context, stderr } = await command()
  writeFileSync(m.stateDir, 'a file in the place of the folder')
  await remember(context, 'T1', { preApproveId: 'P1' })
  expect(stderr()).toContain('the local history could not be written')
  expect(stderr()).toContain('Keep this: preApproveId P1')
})
