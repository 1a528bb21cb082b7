import { expect, test } from 'vitest'
import { Interrupted } from '../../src/errors.ts'
import { machine } from '../kit/harness.ts'
import { whileServed } from '../kit/served.ts'

/** Follows a link as a browser does that has no cookies of the sandbox. */
async function visit(link: string): Promise<Response> {
  const { origin, hash } = new URL(link)
  expect(await fetch(link)).toMatchObject({ status: 200 })
  const body = JSON.stringify({ ticket: hash.slice('#ticket='.length) })
  return fetch(`${origin}/_window/enter`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

test('sandbox open opens a link that works once, and does not print the link', async () => {
  using m = machine()
  await whileServed(m, async ({ port }) => {
    const opened: string[] = []
    const open = async (url: string) => opened.push(url) > 0
    const ran = await m.run('sandbox open', { open })
    expect(ran).toMatchObject({ code: 0, stdout: 'The window is open in your browser.\n' })
    expect(opened).toEqual([expect.stringMatching(`^http://127.0.0.1:${port}/#ticket=[\\w-]{32}$`)])
    expect(await visit(opened[0]!)).toMatchObject({ status: 200 })
    expect(await visit(opened[0]!)).toMatchObject({ status: 401 })
  })
})

test('sandbox open prints the link if no browser opens, or with --print', async () => {
  using m = machine()
  await whileServed(m, async () => {
    const none = await m.run('sandbox open', { open: async () => false })
    expect(none.code).toBe(0)
    expect(await visit(none.stdout.trim())).toMatchObject({ status: 200 })
    const opened: string[] = []
    const printed = await m.run('sandbox open --print --json', { open: async (url) => opened.push(url) > 0 })
    expect(printed.json()).toEqual({ url: expect.stringContaining('/#ticket='), opened: false })
    expect(opened).toEqual([])
  })
})

test('sandbox open without a served sandbox is exit 3, and the hint says how to start a sandbox', async () => {
  using m = machine()
  const { code, error } = await m.run('sandbox open --json')
  expect(code).toBe(3)
  expect(error()).toMatchObject({ code: 'SANDBOX_NOT_SERVED', hint: 'Start the sandbox: bnpl sandbox start --open' })
})

test('sandbox start --open opens the window, and prints another link to the window', async () => {
  using m = machine()
  const stop = new AbortController()
  const opened: string[] = []
  const open = async (url: string) => {
    opened.push(url)
    expect(await visit(url)).toMatchObject({ status: 200 })
    stop.abort(new Interrupted(143))
    return true
  }
  const ran = await m.run('sandbox start --port 0 --open', { signal: stop.signal, open })
  expect(opened).toHaveLength(1)
  expect(ran.stdout).toMatch(/Window {8}http:\/\/127\.0\.0\.1:\d+\/#ticket=[\w-]{32}\n/)
  expect(ran.stdout).not.toContain(opened[0])
})
