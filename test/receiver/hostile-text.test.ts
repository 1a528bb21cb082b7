import { afterEach, expect, test } from 'vitest'
import type { EventType } from '../../src/contract/integrations.ts'
import type { Transport } from '../../src/contract/wire.ts'
import { openInbox } from '../../src/receiver/file/inbox.ts'
import { machine } from '../kit/harness.ts'
import { startHandler } from './handler.ts'
import { arrival, batch, result } from './inbox-kit.ts'
import { cleanUp, deliver, SECRET, startListener, until } from './listener.ts'

afterEach(cleanUp)

/** An eventId that changes a terminal's title, clears the screen, reverses text, and begins a line that looks like one of ours. */
const HOSTILE = 'e\u001b]0;owned\u0007\u001b[2J\u202e\n! NOT STORED and not acknowledged (503): forged\r\u009b31m'
const DRIVES = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/

test('a line break in an eventId does not start a new line on the stderr of a listener [attack 18]', async () => {
  const handler = await startHandler(() => 422)
  const listener = await startListener({ args: ['--forward-to', handler.url, '--forward-attempts', '1'] })
  await deliver(listener, { eventId: HOSTILE })
  await deliver(listener, { eventId: HOSTILE, data: { loanAmount: 2 } })
  await until(() => /arrived again with another body/.test(listener.stderr()) && /set aside/.test(listener.stderr()))
  const lines = listener.stderr().trimEnd().split('\n')
  expect(lines.filter((line) => line.startsWith('! NOT STORED'))).toEqual([])
  expect(lines.filter((line) => line.includes('forged')).length).toBeGreaterThanOrEqual(2)
  expect(listener.stderr()).not.toMatch(DRIVES)
  await handler.stop()
})

/** Every command and form that prints events, outside of a terminal. */
const FORMS = [
  'events list',
  'events list --state set-aside',
  'events show #1',
  'events show #1 --reveal',
  'events replay #1 --forward-to http://127.0.0.1:1/hook',
  'events replay --set-aside --forward-to http://127.0.0.1:1/hook',
  'events confirm #2',
  `trigger loan_approved --to http://127.0.0.1:1/hook --event-id ${HOSTILE.replaceAll(' ', '_')}`,
  'test http://127.0.0.1:1/hook',
  'list',
  'rm hostile',
]

test.each(FORMS)(
  'webhooks %s: text of an event or of the service cannot control a terminal, even through a pipe [attack 19]',
  async (form) => {
    using m = machine()
    const inbox = await openInbox(m.stateDir)
    const data = { [HOSTILE]: HOSTILE, externalTrxId: HOSTILE }
    const hostile = arrival(HOSTILE, {
      forward: true,
      body: Buffer.from(JSON.stringify({ eventId: HOSTILE, data })),
      contentType: 'application/json',
      signature: null,
    })
    await inbox.commit(
      batch([hostile, { ...hostile, eventId: `${HOSTILE}2`, scheme: 'token', event: HOSTILE as EventType }]),
    )
    await inbox.commit(batch([], { forwards: [{ ...result(1, 'dead'), status: null, error: HOSTILE }] }))
    await inbox.close()
    const destination = { id: HOSTILE, url: `https://x/${HOSTILE}`, verificationScheme: HOSTILE, eventTypes: [HOSTILE] }
    const transport: Transport = async ({ url }) => ({
      status: url.includes('/hook') ? 200 : url.endsWith('hostile') ? 404 : 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ data: [destination] })),
    })
    const env = {
      BNPL_WEBHOOK_SECRET: SECRET,
      BNPL_BASE_URL: 'https://api.example.com',
      BNPL_API_KEY: 'key-of-the-test',
      TZ: 'UTC',
    }
    const ran = await m.run(['webhooks', ...form.split(' ')], { transport, env })
    expect(ran.code).not.toBe(1)
    expect(`${ran.stdout}${ran.stderr}`).not.toBe('')
    expect(ran.stdout).not.toMatch(DRIVES)
    expect(ran.stderr).not.toMatch(DRIVES)
    expect(ran.stdout).not.toMatch(/^! NOT STORED/m)
    expect(ran.stderr).not.toMatch(/^! NOT STORED/m)
  },
)
