import { expect, test } from 'vitest'
import { type Transport, WireFailure } from '../../src/contract/wire.ts'
import { machine } from '../kit/harness.ts'

const env = { BNPL_WEBHOOK_SECRET: 'secret-of-the-receiver' }

/**
 * A receiver that gives no answer in time after `answers` answers. Notes whether each delivery was signed, and how long the sender waited.
 */
function falling(answers: number) {
  const asked: { signed: boolean; timeoutMs: number }[] = []
  const transport: Transport = async ({ headers, timeoutMs }) => {
    asked.push({ signed: 'service-signature' in headers, timeoutMs })
    if (asked.length > answers) throw new WireFailure('timeout', true, `no complete answer within ${timeoutMs} ms`)
    return { status: 200, headers: {}, body: new Uint8Array() }
  }
  return { asked, transport }
}

test.each([
  ['30s', 3000],
  ['500ms', 500],
])(
  'a silent receiver causes one failure after two deliveries: --timeout %s limits each delivery to %i ms',
  async (given, timeoutMs) => {
    const { asked, transport } = falling(0)
    using m = machine()
    const ran = await m.run(`webhooks test https://shop.example/hook --json --timeout ${given}`, { env, transport })
    const failed = ran.json().filter(({ status }: { status: string }) => status === 'fail')
    expect(ran.code).toBe(10)
    expect(failed).toMatchObject([
      {
        name: 'a delivery is accepted with 2xx within 3 s',
        detail: `no answer within ${timeoutMs} ms`,
        hint: 'Store the event, answer 200, and process it afterwards.',
      },
    ])
    // The second delivery is not signed, and gets no answer either. So the receiver is not only slow to accept events.
    expect(asked).toEqual([
      { signed: true, timeoutMs },
      { signed: false, timeoutMs },
    ])
  },
)

test('no check passes without an answer', async () => {
  const { transport } = falling(1)
  using m = machine()
  const ran = await m.run('webhooks test https://shop.example/hook --json', { env, transport })
  const passed = ran.json().filter(({ status }: { status: string }) => status === 'ok')
  expect(passed.map(({ name }: { name: string }) => name)).toEqual([
    'the service can deliver to the address',
    'a delivery is accepted with 2xx within 3 s',
  ])
})
