import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LAUNCHER } from '../kit/built-program.ts'
import { fastClock, machine } from '../kit/harness.ts'
import { needsProgram } from '../kit/needs.ts'
import { startBrowser } from './chromium.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

/**
 * Starts the program at a terminal of its own (made by util-linux' `script`). The browser that it opens only writes the address to a file.
 */
function atTerminal(line: string) {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-terminal-'))
  const opened = join(dir, 'opened')
  const fakeBrowser = join(dir, 'browser')
  writeFileSync(fakeBrowser, `#!/bin/sh\nprintf '%s' "$1" > ${opened}\n`)
  chmodSync(fakeBrowser, 0o755)
  const command = `stty cols 80 rows 40; exec ${process.execPath} ${LAUNCHER} ${line}`
  needsProgram('script')
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: dir,
    env: {
      PATH: process.env.PATH,
      HOME: dir,
      TERM: 'xterm',
      BROWSER: fakeBrowser,
      BNPL_STATE_DIR: join(dir, 'state'),
      BNPL_CONFIG_DIR: join(dir, 'config'),
    },
  })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const screen = () => stripVTControlCharacters(text)
  return {
    screen,
    ended,
    see: (words: string) => expect.poll(screen).toContain(words),
    press: (keys: string) => child.stdin.write(keys),
    /** Returns the address that was opened in the browser. */
    async opened() {
      const url = () => (existsSync(opened) ? readFileSync(opened, 'utf8') : '')
      await expect.poll(url).not.toBe('')
      return url()
    },
    [Symbol.dispose]() {
      child.kill('SIGKILL')
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

const UP = '\u001b[A'

test('walkthrough at a terminal asks, opens the page for a payment by keyboard, receives the return, and verifies', async () => {
  using terminal = atTerminal('walkthrough -p sandbox')
  await terminal.see('national id')
  terminal.press('\r')
  await terminal.see('Amount to finance')
  terminal.press('\r')
  await terminal.see('Which option')
  // The last choice lets the customer select a plan on the payment page.
  terminal.press(UP)
  terminal.press('\r')
  await terminal.see('e-mail')
  terminal.press('\r')
  const page = await browser.newPage({ locale: 'en' })
  await page.goto(await terminal.opened())
  await page.getByRole('radio').first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Return now' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/success\?/)
  expect(new URL(page.url()).searchParams.get('externalTrxId')).toMatch(/^trx-/)
  expect(await page.getByRole('heading').textContent()).toBe('Back at the shop')
  expect(await terminal.ended).toBe(0)
  expect(terminal.screen()).toMatch(/State\s+ACTIVE/)
  expect(terminal.screen()).toMatch(/in 6 installments/)
  await page.close()
})

test('pay-url --open serves the page until the payment ends, and reports a cancelled one', async () => {
  using m = machine()
  const page = await browser.newPage({ locale: 'en' })
  const shop = '--success-url https://shop.example/ok --error-url https://shop.example/no'
  const ran = await m.run(`pay-url -p sandbox --trx T1 --amount 50000 --email ana@example.com ${shop} --open`, {
    // The program serves the page for another 12 s after the payment.
    clock: fastClock(10),
    async open(url) {
      await page.goto(url)
      await page.getByRole('button', { name: /cancel/i }).click()
      return true
    },
  })
  // Without a terminal, a line says why the command does not end.
  expect(ran).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/Waiting for the payment to end …\n.*The payment ended: cancelled/s),
  })
  await page.close()
})
