import { expect, test } from 'vitest'
import { hostInUrl, isAllInterfaces, shownHost, whyNotBound } from './address.ts'

test('a host is written in URL form, and a host for all interfaces is shown as the loopback address', () => {
  expect(['0.0.0.0', '::', '127.0.0.1', '::1', 'localhost', 'toString'].map(isAllInterfaces)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
  expect(['::1', '127.0.0.1', 'Shop.Example'].map(hostInUrl)).toEqual(['[::1]', '127.0.0.1', 'shop.example'])
  expect(['0.0.0.0', '::', '::1', '127.0.0.1', 'Shop.Example'].map(shownHost)).toEqual([
    '127.0.0.1',
    '[::1]',
    '[::1]',
    '127.0.0.1',
    'shop.example',
  ])
})

const address = { host: '127.0.0.1', port: 8080 }

test('the error of a failed bind gives the reason and the option that chooses another address', () => {
  expect(whyNotBound({ code: 'EADDRINUSE', syscall: 'listen' }, address)).toEqual([
    'port 8080 on 127.0.0.1 is taken',
    'Choose another port with --port N, or any free port with --port 0.',
    'PORT_TAKEN',
  ])
  expect(whyNotBound({ code: 'EACCES', syscall: 'listen' }, { host: '127.0.0.1', port: 80 }, 'metrics-')).toEqual([
    'this user has no permission to open port 80',
    'Choose a port above 1023 with --metrics-port N.',
    'PORT_REFUSED',
  ])
  expect(whyNotBound({ code: 'EADDRINUSE' }, address, 'metrics-')?.[1]).toBe(
    'Choose another port with --metrics-port N, or any free port with --metrics-port 0.',
  )
  for (const syscall of ['listen', 'getaddrinfo'])
    expect(whyNotBound({ code: 'ENOTFOUND', syscall }, { host: 'no.such', port: 1 }, 'metrics-')).toEqual([
      'no.such is not an address of this machine (ENOTFOUND)',
      'Remove --metrics-host to listen on 127.0.0.1.',
      'BAD_HOST',
    ])
})

test('on Windows a refused port may be reserved, whatever its number', () => {
  expect(whyNotBound({ code: 'EACCES', syscall: 'listen' }, address, '', 'win32')).toEqual([
    'Windows does not let programs open port 8080',
    expect.stringMatching(/--port 0\. .*netsh int ipv4 show excludedportrange tcp/),
    'PORT_REFUSED',
  ])
})

test('any other error is not explained as a failed bind', () => {
  expect(whyNotBound(new Error('other'), address)).toBeUndefined()
  expect(whyNotBound({ code: 'EPIPE', syscall: 'write' }, address)).toBeUndefined()
})
