import { expect, test } from 'vitest'
import { BnplError, ChildEnded, errorAsJson, Failures, Interrupted } from '../errors.ts'
import { say } from './say.ts'

const said = (error: unknown, columns = 40, stderrIsTty = true, errColor = false) => {
  const lines: string[] = []
  const io = { err: (text: string) => void lines.push(text), stderrIsTty, columns, errColor }
  say(error, [], { io, version: '1.0.0' })
  return lines.join('')
}

const failure = (message: string, hint?: string) =>
  new BnplError('network', message, hint === undefined ? {} : { hint })

const LONG = 'could not verify a transaction: api.example.com: nothing answers at this address'

test('on a terminal an error and its hint are wrapped between words, with the next lines indented', () => {
  expect(said(failure(LONG, 'Check the base address and that the service is up.'))).toBe(`\
error: could not verify a transaction:
       api.example.com: nothing answers
       at this address
  Check the base address and that the
  service is up.
`)
})

test('in a pipe an error and its hint are one line each, whatever the width', () => {
  const hint = 'Check the base address and that the service is up: bnpl doctor'
  expect(said(failure(LONG, hint), 40, false)).toBe(`error: ${LONG}\n  ${hint}\n`)
})

test('a command in a hint is not wrapped, so that the command can be pasted', () => {
  const commands = [
    'bnpl webhooks rm --url https://shop.example/hook?a=1 -y',
    "bnpl verify --wait -- 'order; number, 7' T1",
    "bnpl verify $'a\\'b c' T1",
    '`bnpl verify TRX --wait`',
  ]
  for (const command of commands) {
    for (let columns = 20; columns < 120; columns++) {
      const lines = said(failure('it failed', `See the destinations of this account: ${command}`), columns).split('\n')
      expect([columns, lines.join('\n')]).toEqual([columns, expect.stringContaining(command)])
    }
  }
  const third = said(failure('x', 'The link works once; for another: bnpl sandbox open. Ctrl-C stops the sandbox.'), 60)
  expect(third).toContain('for another: bnpl sandbox open.\n')
  const two = said(failure('x', 'Run bnpl doctor, or read the settings: bnpl profiles show; then run it again.'))
  expect(two).toBe(`\
error: x
  Run bnpl doctor, or read the settings:
  bnpl profiles show; then run it again.
`)
})

test('an address that is wider than the terminal is not wrapped', () => {
  const address = `https://shop.example/${'a'.repeat(60)}`
  expect(said(failure(`${address} does not answer`))).toBe(`error: ${address}\n       does not answer\n`)
})

test('long lines of a message, of an interruption note and of further failures are wrapped too', () => {
  expect(said(failure(`first\n${LONG}`))).toMatch(/^error: first\n {2}could not verify a transaction:\n {2}api/)
  const note = `interrupted: ${LONG}`
  for (const error of [
    new Interrupted(130, note),
    new ChildEnded(3, note),
    new Failures(failure('x'), [failure(LONG)]),
  ])
    for (const line of said(error).split('\n')) expect(line.length).toBeLessThanOrEqual(40)
})

test('with colours, only the word “error:” at the beginning of an error is red', () => {
  expect(said(failure('it failed', 'Run the command again.'), 80, true, true)).toBe(
    '\u001b[31merror:\u001b[39m it failed\n  Run the command again.\n',
  )
})

test('a typed value is shown in full in an error on a terminal, and masked in a pipe and in JSON', () => {
  const error = new BnplError('usage', '“••.••8-9” is not right', { atTerminal: '“12.348-9” is not right' })
  expect(said(error, 80, true)).toBe('error: “12.348-9” is not right\n')
  expect(said(error, 80, false)).toBe('error: “••.••8-9” is not right\n')
  expect(JSON.stringify(errorAsJson(error))).not.toContain('12.348')
  expect(error.withHint('Try again.').atTerminal).toBe('“12.348-9” is not right')
})
