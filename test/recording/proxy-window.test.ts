import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { Views } from '../../src/window/views/rows.ts'
import { machine } from '../kit/harness.ts'
import { whileProxied, whileServed } from '../kit/served.ts'

/** Starts a service that has a list of webhooks, and answers every other request with 404. */
async function service() {
  const server = createServer((request, response) => {
    const isKnown = request.url === '/partner/webhook'
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
    response.end(isKnown ? '{"data":[]}' : '{"data":7}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Returns a function that reads views of the window as its page does. @param link from `sandbox open --print` */
async function windowOf(link: string) {
  const url = new URL(link)
  const post = async (path: string, headers: Record<string, string>, json: object) => {
    const headersOfAll = { 'content-type': 'application/json', ...headers }
    const body = JSON.stringify(json)
    const answer = await fetch(`${url.origin}${path}`, { method: 'POST', headers: headersOfAll, body })
    return ((await answer.json()) as { data: any }).data
  }
  const ticket = url.hash.slice('#ticket='.length)
  const { key } = await post('/_window/enter', {}, { ticket })
  return async <Name extends 'requests' | 'request'>(name: Name, input: object): Promise<Views[Name]> =>
    post(`/_window/show/${name}`, { 'x-window-key': key }, input)
}

test('the window of the sandbox lists calls to another service through the proxy, without the data in these calls', async () => {
  using m = machine()
  await using other = await service()
  const env = { BNPL_BASE_URL: other.url, BNPL_API_KEY: 'sk_canary' }
  await whileServed(m, async () => {
    const show = await windowOf(JSON.parse((await m.run('sandbox open --print --json')).stdout).url)
    const { stderr } = await whileProxied(m, '--json', { env }, async (url) => {
      await fetch(`${url}/partner/webhook`, { headers: { authorization: 'Bearer sk_canary' } })
      await fetch(`${url}/partner/pre-approve/rut/11222333-9?email=maria@mail.example`)
      await expect.poll(async () => (await show('requests', {})).total).toBe(2)
    })
    expect(stderr).toContain('These calls are also listed in the window of the sandbox')
    const { rows } = await show('requests', {})
    const host = new URL(other.url).host
    expect(rows).toMatchObject([
      { status: 404, endpoint: 'evaluationByRut', passed: { service: host, problems: expect.any(Array) } },
      { status: 200, endpoint: 'listWebhooks', path: '/partner/webhook', passed: { service: host } },
    ])
    expect(rows[0]?.passed?.problems).not.toEqual([])
    expect(JSON.stringify(rows)).not.toMatch(/11222333|maria|canary/)
    const item = await show('request', { id: rows[1]?.id })
    expect(item).toMatchObject({ sent: null, answer: null, asCurl: null, asBnpl: null })
    // Commands about the sandbox show only requests to the sandbox itself.
    expect(JSON.parse((await m.run('sandbox requests --json')).stdout)).toEqual([])
  })
})

test('the window of the sandbox lists a call to the sandbox through the proxy only once', async () => {
  using m = machine()
  await whileServed(m, async ({ apiKey }) => {
    const show = await windowOf(JSON.parse((await m.run('sandbox open --print --json')).stdout).url)
    const { stderr } = await whileProxied(m, '-p sandbox --json', {}, async (url) => {
      await fetch(`${url}/partner/webhook`, { headers: { authorization: `Bearer ${apiKey}` } })
    })
    expect(stderr).not.toContain('window of the sandbox')
    await expect.poll(() => show('requests', {})).toMatchObject({ total: 1, rows: [{ passed: null }] })
  })
})
