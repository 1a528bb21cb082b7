import { expect, test } from 'vitest'
import { UNSEEN } from '../../src/text/visible.ts'
import { machine } from '../kit/harness.ts'
import { pasted } from '../kit/pasted.ts'

const TRICKS = ['--out=a file', '-p', "it's $(id)", '=ls', 'ok\u202e tejer-- 1-redro', '--']

test.each(TRICKS)(
  'the commands that bnpl prints for the transaction %j can be pasted, and use this transaction id [page 1.3]',
  async (trx) => {
    using m = machine()
    const customer = ['--rut', '11222333-9', '--amount', '250000', '-p', 'sandbox']
    const evaluated = await m.run(['evaluate', ...customer, `--trx=${trx}`])
    expect(evaluated.code).toBe(0)
    const select = offered(evaluated.stderr, /Next: (bnpl select .*)/)
    expect(await m.run(select.map((word) => (word === 'N' ? '3' : word)))).toMatchObject({ code: 0 })

    const missing = await m.run(['verify', '-p', 'sandbox', '--', trx])
    const wait = offered(missing.stderr, /has not paid yet: (bnpl verify .*)/)
    expect(wait).toContain(trx)
    const paid = await m.run(['sandbox', 'pay', '--', trx])
    expect(paid.code).toBe(0)
    const verify = offered(paid.stderr, /Next: (bnpl verify .*)/)
    expect((await m.run([...verify.slice(0, 1), '--json', ...verify.slice(1)])).json()).toMatchObject({
      externalTrxId: trx,
      state: 'ACTIVE',
    })
    expect(await m.run(wait)).toMatchObject({ code: 0 })

    const dry = await m.run(['evaluate', ...customer, `--trx=${trx}`, '--entity-id', 'e', '--dry-run'])
    expect(dry.stdout.replace('\n', '').search(UNSEEN)).toBe(-1)
    const words = pasted(dry.stdout)
    expect(new URLSearchParams(words[words.indexOf('--data-raw') + 1]).get('externalTrxId')).toBe(trx)
  },
)

function offered(stderr: string, pattern: RegExp): string[] {
  const line = pattern.exec(stderr)?.[1] ?? ''
  expect([stderr, line.search(UNSEEN)]).toEqual([stderr, -1])
  expect([stderr, line]).not.toEqual([stderr, ''])
  return pasted(line)
}
