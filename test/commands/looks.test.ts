import { expect, test } from 'vitest'
import { type Transport, WireFailure } from '../../src/contract/wire.ts'
import { BnplError } from '../../src/errors.ts'
import { createOutput, createStyle, type Output } from '../../src/terminal/output.ts'
import { startProgress } from '../../src/terminal/progress.ts'
import { say } from '../../src/terminal/say.ts'
import { beginDay } from '../kit/day.ts'
import { fakeClock, machine } from '../kit/harness.ts'

/** Colours reach a terminal as colours: no escape sequence of ours is printed as text. */

const SPELLED_OUT = /\\u001b|\\x1b|\\u009b/i
const ESCAPE = '\u001b['

const STYLE = await createStyle(true)
const HOSTILE = 'a\u001b[31mb\u009b1m\nc'

test.each<[string, (output: Output, text: string) => void]>([
  ['note', (output, text) => output.note(text)],
  ['warn', (output, text) => output.warn(text)],
  ['say', (output, text) => output.say(text)],
  ['alert', (output, text) => output.alert('PRODUCTION', text)],
])('%s is one styled line, and its text cannot control the terminal', (_, write) => {
  using m = machine()
  const shown = (text: string) => {
    const { world, stderr } = m.world({ color: true })
    write(createOutput(world.io, { output: 'table', quiet: false }, { out: STYLE, err: STYLE }), text)
    return stderr()
  }
  expect(shown('words')).toMatch(/^[^\\]*words[^\\]*\n$/)
  expect(shown(HOSTILE)).toContain('a\\u001b[31mb\\u009b1m\\nc')
})

test('only the first word of an error is coloured, and its text cannot control the terminal', () => {
  using m = machine()
  const { world, stderr } = m.world({ color: true })
  say(new BnplError('usage', HOSTILE, { hint: HOSTILE }), [], world)
  expect(stderr()).toContain('\u001b[31merror:\u001b[39m a\\u001b[31mb\\u009b1m')
  expect(stderr().split('\u001b')).toHaveLength(3)
})

test('the progress line cannot control the terminal', async () => {
  using m = machine()
  let drawn = ''
  const screen = { isTTY: true, columns: 80, cursorTo() {}, clearLine() {}, moveCursor() {}, on() {}, off() {} }
  const write = (chunk: unknown) => {
    drawn += String(chunk)
    return true
  }
  const output = { ...screen, write } as unknown as NodeJS.WriteStream
  const { io } = m.world({ color: true }).world
  const terminal = { ...io, stderrIsTty: true, tty: { input: process.stdin, output } }
  const progress = await startProgress(terminal, false, HOSTILE)
  progress.update(`next ${HOSTILE}`)
  await expect.poll(() => drawn).toContain('next a\\u001b[31mb\\u009b1m\\nc')
  progress.stop()
  expect(drawn).not.toContain('a\u001b[31mb')
})

test('no command of a production profile shows an escape sequence as text, on stdout or stderr', async () => {
  const day = await beginDay()
  const { baseUrl, paymentUrl, partners } = day.sandbox
  for (const [name, { apiKey, entityId }] of [
    ['prod', partners[0]],
    ['estate', partners[1]],
  ]) {
    const account = `--base-url ${baseUrl} --payment-url ${paymentUrl} --entity-id ${entityId}`
    const added = await day.run(`profiles add ${name} ${account} --environment production --api-key-stdin`, {
      stdin: apiKey,
    })
    expect([added.code, added.stderr]).toEqual([0, added.stderr])
  }
  const away: Transport = async () => {
    throw new WireFailure('refused', false, 'ECONNREFUSED')
  }
  const colours = { stdoutIsTty: true, columns: 80, color: true }
  let banners = 0
  for (const { line } of day.rows) {
    // The walkthrough of a real account would wait for a customer.
    if (line.startsWith('walkthrough')) continue
    const own = line
      .replace(/-p sandbox:real-estate/, '-p estate')
      .replace(/-p sandbox(?= |$)/, '-p prod')
      .replace(/^sandbox run --/, 'sandbox run --verbose --')
    const typed = own.includes(' -- ') ? own : `${own} --verbose --yes`
    for (const options of [colours, ...(own === line ? [] : [{ ...colours, transport: away, clock: fakeClock() }])]) {
      const { stdout, stderr } = await day.run(typed, options)
      expect([typed, SPELLED_OUT.test(stdout), SPELLED_OUT.test(stderr)]).toEqual([typed, false, false])
      if (!stderr.includes('PRODUCTION')) continue
      banners++
      expect([typed, stderr]).toEqual([typed, expect.stringContaining(`${ESCAPE}31mPRODUCTION${ESCAPE}39m profile`)])
    }
  }
  expect(banners).toBeGreaterThan(15)
  await day.end()
})
