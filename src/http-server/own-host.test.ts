import { expect, test } from 'vitest'
import { isOwnHost, namesOfHost, type OwnNames, refuseHost } from './door.ts'

const accepted = (names: OwnNames, hosts: readonly (string | undefined)[]) =>
  hosts.filter((host) => isOwnHost(host, names))

test('an allowed host without a port fits any port, with a port only that port, and with “own” the bound port', () => {
  const names = { port: 4555, hosts: ['tunnel.test', 'mapped.test:8080', 'sandbox.test:own'] }
  const asked = ['tunnel.test', 'mapped.test', 'sandbox.test'].flatMap((name) =>
    ['', ':4555', ':8080', ':1', ':own'].map((port) => name + port),
  )
  expect(accepted(names, asked)).toEqual([
    'tunnel.test',
    'tunnel.test:4555',
    'tunnel.test:8080',
    'tunnel.test:1',
    'mapped.test:8080',
    'sandbox.test',
    'sandbox.test:4555',
  ])
})

test('a Host header without a port means port 80 if a default port is given, and any port otherwise', () => {
  const hosts = ['127.0.0.1', '127.0.0.1:80', '127.0.0.1:4555', 'shop.test']
  expect(accepted({ port: 4555, hosts: ['shop.test:80'], defaultPort: 80 }, hosts)).toEqual([
    '127.0.0.1:4555',
    'shop.test',
  ])
  expect(accepted({ port: 80, hosts: [], defaultPort: 80 }, hosts)).toEqual(['127.0.0.1', '127.0.0.1:80'])
  expect(accepted({ port: 4555, hosts: [] }, hosts)).toEqual(['127.0.0.1', '127.0.0.1:4555'])
})

test('a server on all interfaces accepts any IP address at its port, but no name, and refuses two Host headers', () => {
  const names = { port: 4555, hosts: namesOfHost('0.0.0.0', []) }
  const asked = ['10.1.2.3:4555', '[fe80::1]:4555', '10.1.2.3:1', 'evil.test:4555', 'a@10.1.2.3:4555', '', undefined]
  expect(accepted(names, asked)).toEqual(['10.1.2.3:4555', '[fe80::1]:4555'])
  expect(refuseHost(['10.1.2.3:4555', '10.1.2.3:4555'], names)).toBe(400)
  expect(refuseHost(['10.1.2.3:4555'], names)).toBe(0)
  expect(refuseHost(['evil.test:4555'], names)).toBe(421)
  expect(refuseHost([], names)).toBe(421)
})
