import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { UNSEEN } from '../../src/text/visible.ts'
import { complaints } from '../kit/command-lines.ts'
import { lastingPort } from '../kit/lasting-port.ts'
import { pasted } from '../kit/pasted.ts'
import { raw, request, statusOf } from '../kit/raw-http.ts'
import { test } from './window-fixtures.ts'
import { openServer, openWindowKit } from './window-kit.ts'

const HOSTILE = `"><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`

/** Collects what the browser refuses and what scripts throw from now on. */
function objections(page: Page): string[] {
  const heard: string[] = []
  page.on('console', (message) => message.type() === 'error' && heard.push(message.text()))
  page.on('pageerror', (error) => heard.push(String(error)))
  page.on('dialog', (dialog) => heard.push(dialog.message()))
  return heard
}

test('hostile text from every source stays text [page 2]', async ({ kit, person }) => {
  await using receiver = await openServer((request, response) => {
    request.resume()
    response.writeHead(200).end(HOSTILE)
  })
  const trx = HOSTILE.slice(0, 60)
  await kit.call('/partner/webhook', { url: `${receiver.url}/hook?${encodeURIComponent(HOSTILE)}` })
  await kit.evaluate(trx)
  await kit.control('pay', { externalTrxId: trx })
  await kit.call('/partner/pre-loan-request/bnpl', { [HOSTILE]: HOSTILE })
  await kit.call(`/partner/nothing/${encodeURIComponent(HOSTILE)}`, {})
  await kit.control('lead', { projectId: HOSTILE.slice(0, 60), now: true })
  const page = await kit.enter(await person())
  const heard = objections(page)
  for (const part of ['payments', 'leads', 'requests', 'webhooks']) {
    await kit.turn(page, part)
    const rows = page.locator(part === 'webhooks' ? '.deliveries-rows a.row' : `.${part}-rows a.row`)
    await rows.first().waitFor()
    for (const row of await rows.all()) {
      await row.click()
      await page.locator('.detail h2').waitFor()
      await expect.poll(() => page.locator('.detail').textContent()).not.toBe('')
    }
  }
  await kit.turn(page, 'payments')
  await page.locator('.payments-rows a.row').first().waitFor()
  expect(await page.getByText(trx, { exact: true }).count()).toBeGreaterThan(0)
  expect(await page.locator('img:not(.sheets img), main script').count()).toBe(0)
  expect(await page.title()).not.toBe('owned')
  await kit.turn(page, 'leads')
  await page.locator('.leads-rows a.row').first().click()
  const sheet = await page.locator('.sheets a').first().getAttribute('href')
  await page.goto(`${kit.baseUrl}${sheet}`)
  expect(await page.locator('text', { hasText: HOSTILE.slice(0, 10) }).count()).toBeGreaterThan(0)
  expect(await page.locator('script, img').count()).toBe(0)
  expect(heard).toEqual([])
})

test('a page from another origin can neither read the window nor trigger an action, though the browser has the key', async ({
  kit,
  person,
}) => {
  const context = await person()
  await kit.evaluate('order-1')
  await kit.enter(context)
  // Only the port differs, so a browser takes this server for the same site.
  await using stranger = await openServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(request.url === '/' ? '<title>stranger</title>' : '')
  })
  const page = await context.newPage()
  await page.goto(stranger.url)
  const tried = await page.evaluate(async (base) => {
    const outcomes: Record<string, string> = {}
    const attempt = async (name: string, options: RequestInit, path: string) => {
      try {
        const answer = await fetch(`${base}${path}`, { credentials: 'include', ...options })
        outcomes[name] = answer.type === 'opaque' ? 'nothing to read' : await answer.text()
      } catch {
        outcomes[name] = 'refused'
      }
    }
    const json = { 'content-type': 'application/json' }
    await attempt('read the page', {}, '/')
    await attempt('ask', { method: 'POST', headers: json, body: '{}' }, '/_window/show/controls')
    await attempt('press', { method: 'POST', headers: json, body: '{}' }, '/_window/do/reset')
    await attempt('press as a form', { method: 'POST', mode: 'no-cors', body: '{}' }, '/_window/do/reset')
    await attempt('control', { method: 'POST', mode: 'no-cors', body: '{}' }, '/_sandbox/reset')
    await new Promise<void>((resolve) => {
      const stream = new EventSource(`${base}/_window/changes`, { withCredentials: true })
      stream.onerror = () => {
        outcomes.stream = 'refused'
        resolve()
      }
      stream.onmessage = stream.onopen = () => {
        outcomes.stream = 'open'
        resolve()
      }
    })
    const form = document.createElement('form')
    const frame = document.createElement('iframe')
    Object.assign(form, { method: 'post', action: `${base}/_window/do/reset`, enctype: 'text/plain', target: 'frame' })
    frame.name = 'frame'
    document.body.append(frame, form)
    const posted = new Promise((resolve) => frame.addEventListener('load', resolve))
    form.submit()
    await posted
    const framed = document.createElement('iframe')
    framed.src = `${base}/`
    const loaded = new Promise((resolve) => framed.addEventListener('load', resolve))
    document.body.append(framed)
    await loaded
    outcomes.frame = framed.contentDocument === null ? 'refused' : 'open'
    return outcomes
  }, kit.baseUrl)
  expect(tried).toEqual({
    'read the page': 'refused',
    ask: 'refused',
    press: 'refused',
    'press as a form': expect.stringMatching(/refused|nothing to read/),
    control: expect.stringMatching(/refused|nothing to read/),
    stream: 'refused',
    frame: 'refused',
  })
  expect(await kit.control('status')).toMatchObject({ preApprovals: 1 })
})

test('a server on another port of this machine gets no key of the window [page 1.1]', async ({ kit, person }) => {
  const context = await person()
  const page = await kit.enter(context)
  const heard: string[] = []
  await using stranger = await openServer((request, response) => {
    heard.push(...Object.values(request.headersDistinct).flatMap((values) => values ?? []), request.url ?? '')
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>stranger</title>')
  })
  const kept = await page.evaluate(() => Object.entries(localStorage))
  expect(kept).toEqual([['bnpl-window-key', expect.stringMatching(/^[\w-]{32}$/)]])
  const other = await context.newPage()
  await other.goto(`${stranger.url}/look`)
  await other.waitForFunction(() => document.title === 'stranger')
  expect(await other.evaluate(() => Object.entries(localStorage))).toEqual([])
  expect(heard.join('\n')).not.toContain(kept[0]?.[1])

  // The browser's cookies give another program no access to the sandbox.
  const cookies = await context.cookies()
  const cookie = [...cookies, ...kept.map(([name, value]) => ({ name, value }))]
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
  for (const [line, body] of [
    ['POST /_window/show/controls', '{}'],
    ['POST /_window/do/windowLink', '{}'],
    ['GET /_window/changes', ''],
  ] as const) {
    const port = Number(new URL(kit.baseUrl).port)
    const headers = [`Cookie: ${cookie}`, 'Sec-Fetch-Site: same-origin', 'Content-Type: application/json']
    expect([line, statusOf(await raw(port, request(port, `${line} HTTP/1.1`, headers, body)))]).toEqual([line, 401])
  }
})

test('a cookie of another port does not lock a browser out; with an old key the page shows how to open the window [page 1.2]', async ({
  kit,
  person,
}) => {
  const context = await person()
  const page = await kit.enter(context)
  const port = new URL(kit.baseUrl).port
  await using stranger = await openServer((_request, response) => {
    const tossed = [`bnpl-window-${port}=tossed; Path=/_window`, `bnpl-window-${port}=tossed; Path=/`]
    response.setHeader('set-cookie', [...tossed, 'bnpl-window-key=tossed; Path=/'])
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>stranger</title>')
  })
  const other = await context.newPage()
  await other.goto(stranger.url)
  await page.goto(kit.baseUrl)
  await page.locator('.stream', { hasText: 'Live' }).waitFor()

  let loads = 0
  page.on('request', (asked) => {
    if (asked.isNavigationRequest()) loads++
  })
  await page.evaluate(() => localStorage.setItem('bnpl-window-key', 'of-an-earlier-run'))
  await page.reload()
  await page.getByText('bnpl sandbox open').waitFor()
  expect(loads).toBe(1)
  expect(await page.getByRole('navigation').count()).toBe(0)
})

test('a preview uses up no link; reload, second tab, used link and new link show the page, in the link’s language [page 1.11]', async ({
  kit,
  person,
}) => {
  const context = await person()
  const link = kit.served.windowLink()
  const page = await context.newPage()
  const live = (each: Page) => each.locator('.stream', { hasText: 'Live' }).waitFor()
  await fetch(link, { method: 'HEAD' })
  await page.goto(`${link}#/requests`)
  await live(page)
  expect(page.url()).toBe(`${kit.baseUrl}/#/requests`)
  await page.reload()
  await live(page)
  const second = await context.newPage()
  await second.goto(kit.baseUrl)
  await live(second)
  const third = await context.newPage()
  await third.goto(link)
  await live(third)
  // In a tab that shows the window already, a link changes only the fragment of the address.
  await second.goto(kit.served.windowLink())
  await second.waitForURL(`${kit.baseUrl}/`)
  await live(second)
  await page.reload()
  await live(page)
  await third.goto(kit.served.windowLink().replace('/#', '/?lang=es#'))
  await third.locator('.stream', { hasText: 'En vivo' }).waitFor()
})

/** Ids that a terminal, a shell, a command or a human would take for something else. */
const TRICKS = ['--out=a file', 'a\u001b[201~\nid\n', 'ok\u202e tejer-- 1-redro', 'c\u009b201~\u0003', 'שלום 123']

test('each copied command equals the shown command, and a shell reads the id from the command unchanged [page 1.3]', async ({
  kit,
  person,
}) => {
  for (const trx of TRICKS) await kit.evaluate(trx)
  // Without a key the sandbox does not check the body, and shows all of it.
  const body = new URLSearchParams(TRICKS.map((trick, i): [string, string] => [`field ${i}`, trick]))
  await fetch(`${kit.baseUrl}/partner/pre-loan-request/bnpl`, { method: 'POST', body })
  const context = await person()
  await context.addInitScript(() => {
    const copied: string[] = []
    Object.assign(window, { copied })
    navigator.clipboard.writeText = async (text) => void copied.push(text)
  })
  const page = await kit.enter(context)
  const copiedBy = async (button: Locator) => {
    await button.click()
    await page.locator('.said', { hasText: 'Copied' }).waitFor()
    return page.evaluate(() => String((Reflect.get(window, 'copied') as string[]).pop()))
  }
  const rows = page.locator('.payments-rows a.row')
  await expect.poll(() => rows.count()).toBe(TRICKS.length)
  for (const text of await rows.allTextContents()) expect(text.search(UNSEEN)).toBe(-1)
  expect(await page.locator('.payments-rows strong > bdi').count()).toBe(TRICKS.length)
  for (const trx of TRICKS) {
    await page.goto(`${kit.baseUrl}/#/payments/${encodeURIComponent(JSON.stringify([kit.bnpl.name, trx]))}`)
    const lines = page.locator('.detail .command')
    // The commands of the payment before may still be on the screen.
    const shown = async () => {
      await page
        .locator('.detail details:not([open]) summary')
        .click({ timeout: 500 })
        .catch(() => {})
      // On a busy machine the item is drawn after the click, with its details closed.
      if ((await page.locator('.detail details:not([open])').count()) > 0) return []
      return (await lines.locator('code').allTextContents()).map((line) => pasted(line.slice(2)))
    }
    await expect.poll(async () => (await shown()).some((words) => words.includes(trx))).toBe(true)
    const args: string[][] = []
    for (const line of await lines.all()) {
      const copied = await copiedBy(line.getByRole('button'))
      expect(await line.locator('code').textContent()).toBe(`$ ${copied}`)
      expect(copied.search(UNSEEN)).toBe(-1)
      args.push(pasted(copied))
    }
    const end = trx.startsWith('-') ? ['--', trx] : [trx]
    expect(args).toContainEqual(['sandbox', 'pay', ...end])
    expect(args.some((words) => words.includes(`--trx=${trx}`) || words[words.indexOf('--trx') + 1] === trx)).toBe(true)
    for (const words of args) expect(await complaints(words)).toEqual([])
  }

  await kit.turn(page, 'requests')
  await page.locator('.requests-rows a.row').first().click()
  await page.locator('.detail h2', { hasText: 'POST' }).waitFor()
  const curl = await copiedBy(page.getByRole('button', { name: 'Copy as curl' }))
  await page.locator('.detail .commands summary').click()
  expect(await page.getByRole('group', { name: 'curl' }).textContent()).toBe(curl)
  expect(curl.search(UNSEEN)).toBe(-1)
  const sent = pasted(curl)
  for (const [i, trick] of TRICKS.entries()) expect(sent).toContain(`field%20${i}=${trick}`)
  expect((await page.locator('.detail').innerText()).replaceAll('\n', '').replaceAll('\t', '').search(UNSEEN)).toBe(-1)
})

test('a browser without a link sees how to get access, and a used link gives no other browser access', async ({
  kit,
  person,
}) => {
  const link = kit.served.windowLink()
  const first = await (await person()).newPage()
  await first.goto(link)
  await first.getByRole('navigation', { name: 'Parts' }).waitFor()
  expect(first.url()).toBe(`${kit.baseUrl}/`)
  const second = await (await person()).newPage()
  for (const address of [link, kit.baseUrl]) {
    await second.goto(address)
    await second.getByText('bnpl sandbox open').waitFor()
    expect(await second.content()).not.toContain(kit.bnpl.apiKey)
    expect(await second.getByText('was already used').isVisible()).toBe(address === link)
  }
  expect(await second.evaluate(() => document.cookie)).toBe('')
  expect(await first.evaluate(() => document.cookie)).toBe('')
})

test('the window reports that the sandbox stopped, and asks for a new link after a restart', async ({ person }) => {
  const port = await lastingPort()
  await using kit = await openWindowKit(port)
  const page = await kit.enter(await person())
  await kit.served.close()
  await page.getByText('Not connected').waitFor()
  await using again = await openWindowKit(port)
  await page.getByText('bnpl sandbox open').waitFor()
  await page.goto(again.served.windowLink())
  await page.locator('.stream', { hasText: 'Live' }).waitFor()
})
