import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { catchReturn } from './walkthrough-payment.ts'

test('the return address accepts only a request with one Host header that names the address itself [attack 23]', async () => {
  const address = await catchReturn()
  const { port, pathname } = new URL(address.successUrl)
  const firstLine = (...hosts: string[]) =>
    new Promise<string>((resolve) => {
      const lines = hosts.map((host) => `Host: ${host}\r\n`).join('')
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write(`GET ${pathname}?preApproveId=p1&externalTrxId=t1 HTTP/1.1\r\n${lines}\r\n`),
      )
      socket.once('data', (chunk) => resolve(String(chunk).split('\r\n')[0] ?? ''))
    })
  const own = `127.0.0.1:${port}`
  expect(await firstLine(own, 'evil.example')).toBe('HTTP/1.1 400 Bad Request')
  expect(await firstLine(`evil.example:${port}`)).toBe('HTTP/1.1 421 Misdirected Request')
  expect(await firstLine(own)).toBe('HTTP/1.1 200 OK')
  expect(await address.arrival).toMatchObject({ landedOn: 'success' })
  await address.close()
})

test('the return page shows the reported result in the language of the browser, and loads no other resource', async () => {
  for (const [landing, language, words] of [
    ['success', 'en', 'reports that the payment was approved'],
    ['error', 'es-CL,es;q=0.9', 'no se pagó'],
  ] as const) {
    const address = await catchReturn()
    const url = landing === 'success' ? address.successUrl : address.errorUrl
    const answer = await fetch(`${url}?preApproveId=p1&externalTrxId=%3Cb%3Et1`, {
      headers: { 'accept-language': language },
    })
    const page = await answer.text()
    expect(page).toContain(words)
    expect(page).toContain('&lt;b&gt;t1')
    expect(page).not.toMatch(/(src|href)="(?!data:)/)
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']{44}'; img-src data:/,
    )
    await address.close()
  }
})
