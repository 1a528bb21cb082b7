import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { LANGUAGES } from '../../src/contract/languages.ts'
import { paymentPageUrl } from '../../src/domain/payment-page.ts'
import { once } from '../../src/lifetime.ts'
import { TEXTS } from '../../src/sandbox/languages/languages.ts'
import { serveSandbox } from '../../src/sandbox/server/serve.ts'
import { CONTROL_PREFIX, CONTROL_TOKEN_HEADER } from '../../src/sandbox/service/access.ts'
import { createWindow } from '../../src/window/window.ts'
import { realClock } from '../kit/harness.ts'
import { onceFree } from '../kit/lasting-port.ts'
import { random } from '../kit/seed.ts'
import { ROOT } from '../kit/source-graph.ts'

/** What the window shows in each language while it is connected. */
export const LIVE = new RegExp(LANGUAGES.map((language) => TEXTS[language].window.live).join('|'))

/**
 * Answers with the one script of the built program in place of the first of thirty small ones, as users get it. A browser needs a tenth less
 * work for a view then. Outside of a test run, the build may be older than the sources, so that their scripts are used.
 */
function withBuiltScript(answer: ReturnType<typeof createWindow>): typeof answer {
  if (process.env.BNPL_TEST_COMPILED === undefined) return answer
  return async (request) => {
    const response = await answer(request)
    return request.url.endsWith('/start.js') ? { ...response, body: builtScript() } : response
  }
}

const builtScript = once(() => readFileSync(join(ROOT, 'dist', 'window-assets', 'start.js')))

/** Starts a served sandbox whose timers run, with the calls that a merchant's backend makes. */
export async function openWindowKit(port = 0) {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-window-'))
  const dataFile = join(dir, 'sandbox.db')
  const faults: unknown[] = []
  const serve = () =>
    serveSandbox({
      stateDir: dir,
      dataFile,
      host: '127.0.0.1',
      port,
      allowHttp: true,
      window: async (service) => withBuiltScript(createWindow(service)),
      clock: realClock,
      random,
      pid: process.pid,
      onError: (error) => faults.push(error),
      onRecovery() {},
    })
  const served = await onceFree(serve)
  const { baseUrl, controlToken } = served.running
  const [bnpl, estate] = served.partners
  if (bnpl === undefined || estate === undefined) throw new Error('the accounts are missing')

  const call = async (path: string, form: Record<string, string>, key = bnpl.apiKey): Promise<any> => {
    const headers = { authorization: `Bearer ${key}` }
    const answer = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: new URLSearchParams(form) })
    return { status: answer.status, ...((await answer.json()) as object) }
  }
  const control = async (action: string, input: object = {}): Promise<any> => {
    const headers = { 'content-type': 'application/json', [CONTROL_TOKEN_HEADER]: controlToken }
    const body = JSON.stringify(input)
    const answer = await fetch(`${baseUrl}${CONTROL_PREFIX}/${action}`, { method: 'POST', headers, body })
    const { data, error } = (await answer.json()) as { data?: any; error?: { message: string } }
    if (error) throw new Error(error.message)
    return data
  }
  return {
    dir,
    dataFile,
    served,
    baseUrl,
    faults,
    bnpl,
    estate,
    call,
    control,
    evaluate: (externalTrxId: string, { rut = '11222333-9', amount = 250_000 } = {}) =>
      call('/partner/pre-loan-request/bnpl', {
        idNumber: rut,
        amount: String(amount),
        entityId: bnpl.entityId,
        externalTrxId,
      }),
    /** Returns the address of the payment page for a transaction, with a new token. */
    async payAddress(externalTrxId: string, back: string, amount = 250_000): Promise<string> {
      const form = { amount: String(amount), externalTrxId, entityId: bnpl.entityId, email: 'ana@example.com' }
      const { widgetToken } = (await call('/partner/widget/start', form)).data
      return paymentPageUrl(`${baseUrl}/pay`, {
        widgetToken,
        publicKey: bnpl.publicKey,
        successReturnUrl: back,
        errorReturnUrl: back,
      })
    },
    verify: (externalTrxId: string) => call(`/partner/pre-approve/${encodeURIComponent(externalTrxId)}/loan`, {}),
    /** Opens a page of the window by a new link. */
    async enter(context: BrowserContext, part = 'payments'): Promise<Page> {
      const page = await context.newPage()
      await page.goto(`${served.windowLink()}#/${part}`)
      await page.locator('.stream', { hasText: LIVE }).waitFor()
      return page
    },
    /** Opens another part of the window by its link, and waits until that part is drawn. */
    async turn(page: Page, part: string): Promise<void> {
      await page.locator(`nav a[href="#/${part}"]`).click()
      await page.locator(`main[data-part="${part}"]`).waitFor()
    },
    async [Symbol.asyncDispose]() {
      await served.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Starts a server of another program on this machine. */
export async function openServer(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((ready) => server.once('listening', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
