import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { machine } from '../../../../test/kit/harness.ts'
import type { Context } from '../../../context.ts'
import { createStyle } from '../../../terminal/output.ts'
import { createScreen } from './screen.ts'

const bodyOf = (data: object) => Buffer.from(JSON.stringify({ eventId: 'e', data }))

/** What the screen of a receiver shows of one event with this id, line by line. */
async function linesWith(eventId: string, columns: number): Promise<string[]> {
  using m = machine()
  const { world, stdout } = m.world({ columns, stdoutIsTty: true })
  const context = {
    io: world.io,
    output: { style: await createStyle(false), inLanguage: (text: string) => text },
  } as unknown as Context
  const plan = { scheme: 'none', forwardTo: undefined } as never
  const screen = await createScreen(context, plan, 0, (error) => {
    throw error
  })
  screen.ready('http://127.0.0.1:1')
  const arrival = { receivedAt: 0, event: 'pre_approve', eventId, body: bodyOf({ leadId: eventId }) }
  screen.recorded({ what: 'recorded', arrival, recorded: { seq: 1, fate: 'new' }, ms: 1 } as never)
  screen.ending()
  await screen.end()
  return stdout()
    .split('\n')
    .filter((line) => line !== '')
}

test('no line of the screen is wider than the terminal, whatever the id of an event contains [row 116]', async () => {
  for (const id of [
    'order-1',
    '漢字'.repeat(40),
    '👩‍👩‍👧‍👦'.repeat(40),
    '\u{16fe0}'.repeat(40),
    `न${'\u093e'.repeat(90)}`,
  ])
    for (const columns of [40, 80]) {
      const lines = await linesWith(id, columns)
      expect(lines.length).toBeGreaterThan(1)
      expect([id, lines.filter((line) => stringWidth(line) > columns)]).toEqual([id, []])
    }
})

test('the screen also draws lines on a terminal of one column', async () => {
  expect((await linesWith('order-1', 1)).length).toBeGreaterThan(1)
})

test('waiting events of earlier runs are shown below the header, even if forwarded before the screen is ready', async () => {
  using m = machine()
  const { world, stdout } = m.world({ columns: 80, stdoutIsTty: true })
  const context = {
    io: world.io,
    output: { style: await createStyle(false), inLanguage: (text: string) => text },
  } as unknown as Context
  const plan = { scheme: 'hmac', forwardTo: 'http://127.0.0.1:3000' } as never
  const screen = await createScreen(context, plan, 3, (error) => {
    throw error
  })
  const result = { state: 'delivered', status: 200, error: null, ms: 1, attempts: 1 }
  const forward = (seq: number) =>
    screen.forwarded(
      { seq, receivedAt: 0, event: 'loan_approved', eventId: `e${seq}`, body: bodyOf({}) } as never,
      result as never,
      undefined,
    )
  forward(1)
  forward(2)
  screen.ready('http://127.0.0.1:1')
  await expect.poll(stdout).toContain('… and 1 more wait to be forwarded')
  forward(3)
  await expect.poll(stdout).toContain('3 forwarded')
  const drawings = stdout().split('\u001b[J')
  expect(drawings.at(-1)).not.toContain('more wait to be forwarded')
  expect(stdout().indexOf('Transaction')).toBeLessThan(stdout().indexOf('200 in'))
  await screen.end()
})

/** Returns a screen of a listener that forwards, and the text that stays on the terminal after each drawing. */
async function forwarding(columns: number) {
  const m = machine()
  const { world, stdout } = m.world({ columns, stdoutIsTty: true })
  const context = {
    io: world.io,
    output: { style: await createStyle(false), inLanguage: (text: string) => text },
  } as unknown as Context
  const plan = { scheme: 'hmac', forwardTo: 'http://127.0.0.1:3000' } as never
  const screen = await createScreen(context, plan, 0, (error) => {
    throw error
  })
  m[Symbol.dispose]()
  const receive = (seq: number, eventId: string) => {
    const body = bodyOf({ externalTrxId: `trx-${eventId}` })
    const arrival = { receivedAt: 0, event: 'loan_approved', eventId, body }
    screen.recorded({ what: 'recorded', arrival, recorded: { seq, fate: 'new' }, ms: 1 } as never)
    return { seq, receivedAt: 0, event: 'loan_approved', eventId, body } as never
  }
  return { screen, receive, stdout, left: () => stdout().split('\u001b[J').at(-1) ?? '' }
}

const refused = (status: number | null) => ({ state: 'retrying', status, error: null, ms: 1, attempts: 2 }) as never

test('at the end, rows of waiting events remain on the terminal and announce no further attempt', async () => {
  const { screen, receive, left } = await forwarding(80)
  screen.ready('http://127.0.0.1:1')
  screen.forwarded(receive(1, 'e1'), refused(null), { waitMs: 4000, away: true })
  screen.forwarded(receive(2, 'e2'), refused(500), { waitMs: 4000, away: false })
  for (const seq of [3, 4, 5, 6, 7]) receive(seq, `e${seq}`)
  await expect.poll(left).toContain('no connection, again in 4s')
  expect(left()).toContain('500, again in 4s')
  screen.ending()
  await screen.end()
  const lines = left().trimEnd().split('\n')
  expect(lines.map((line) => line.replace(/\s+/g, ' ').split(' ').slice(2).join(' '))).toEqual([
    'trx-e1 no connection, waiting',
    'trx-e2 500, waiting',
    'trx-e3 waiting',
    'trx-e4 waiting',
    'trx-e5 waiting',
    '2 more wait to be forwarded',
  ])
})

test('on 80 columns a row shows the whole answer of the handler and the response time', async () => {
  const { screen, receive, stdout } = await forwarding(80)
  screen.ready('http://127.0.0.1:1')
  const id = 'a3c1f0de-1111-4222-8333-944455556666'
  screen.forwarded(receive(1, id), refused(503), { waitMs: 60_000, away: true })
  await expect.poll(stdout).toContain('not reachable (503), again in 1m')
  screen.forwarded(
    receive(2, id),
    { state: 'delivered', status: 200, error: null, ms: 12_345, attempts: 12 } as never,
    undefined,
  )
  await expect.poll(stdout).toContain('200 in 12345 ms, attempt 12')
  await screen.end()
  const shown = stdout().replace(/\u001b\[\d*[AJ]/g, '')
  expect(shown.split('\n').filter((line) => stringWidth(line) > 79)).toEqual([])
})

test('a row has the number of the event and the transaction; a wide terminal also shows the event and its whole id', async () => {
  const id = 'a3c1f0de-1111-4222-8333-944455556666'
  const row = async (columns: number) => {
    const { screen, receive, left } = await forwarding(columns)
    screen.ready('http://127.0.0.1:1')
    receive(7, id)
    screen.ending()
    await screen.end()
    return (
      left()
        .split('\n')
        .find((line) => line.includes('waiting')) ?? ''
    )
  }
  expect(await row(80)).toMatch(/^\d\d:\d\d:\d\d {2}7 {6}trx-a3c1f0de-\S{11}… +waiting/)
  expect(await row(80)).not.toContain('loan_approved')
  expect(await row(200)).toMatch(new RegExp(` 7 +loan_approved +trx-${id} +${id} +1 ms +waiting`))
  expect((await linesWith('lead-1', 80)).join('\n')).toMatch(/ 1 +pre_approve lead-1 +stored/)
})
