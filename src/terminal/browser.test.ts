import { expect, test, vi } from 'vitest'
import { openUrl } from './browser.ts'

const DESKTOP = { platform: 'linux', env: { DISPLAY: ':0' } }

const opened = vi.hoisted(() => [] as string[])
vi.mock('open', async () => {
  const { EventEmitter } = await import('node:events')
  return {
    default: async (url: string) => {
      opened.push(url)
      const child = new EventEmitter()
      setImmediate(() => child.emit('exit', 0))
      return child
    },
  }
})

test('only an https address, or an address of this machine, is opened in the browser [row 87, attack 8]', async () => {
  const refused = [
    'file:///etc/passwd',
    'javascript:alert(1)',
    'calc:',
    '--version',
    '/etc/passwd',
    ' ',
    'httpx://a.b',
    'http://evil.example/phish?a=$(id)',
    'http://192.168.1.9/',
    'https://u:p@a.b/',
  ]
  for (const url of refused) expect([url, await openUrl(url, DESKTOP)]).toEqual([url, false])
  expect(opened).toEqual([])
  for (const url of ['http://127.0.0.1:4555/', 'https://pay.example/?a=b'])
    expect(await openUrl(url, DESKTOP)).toBe(true)
  expect(opened).toEqual(['http://127.0.0.1:4555/', 'https://pay.example/?a=b'])
})

test.each([
  ['linux', {}, false],
  ['linux', { DISPLAY: '', BROWSER: '' }, false],
  ['linux', { DISPLAY: ':0' }, true],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
  ['linux', { BROWSER: '/usr/bin/browser.sh' }, true],
  ['darwin', {}, true],
  ['win32', {}, true],
])('on %s with %o, a browser can be opened: %s', async (platform, env, can) => {
  expect(await openUrl('https://pay.example/', { platform, env })).toBe(can)
})
