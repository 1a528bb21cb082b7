import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { machine } from '../../test/kit/harness.ts'
import { WireFailure } from '../contract/wire.ts'
import { wireFailureFrom } from './wire-failure.ts'

const coded = (code: string) => Object.assign(new Error('words that nobody shows'), { code })

test.each([
  ['refused', ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES', 'EPERM', 'EHOSTDOWN']],
  ['dns', ['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL']],
  ['timeout', ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']],
  [
    'reset',
    ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ECONNABORTED', 'ESOMETHING_NEW', 'XHPE_INVALID', 'XUND_ERR_A', 'XCERT_'],
  ],
  ['proxy', ['UND_ERR_PRX_TLS', 'ERR_PROXY_TUNNEL']],
  [
    'tls',
    [
      ...[
        'CERT_HAS_EXPIRED',
        'ERR_TLS_CERT_ALTNAME_INVALID',
        'ERR_SSL_WRONG_VERSION_NUMBER',
        'DEPTH_ZERO_SELF_SIGNED_CERT',
      ],
      ...['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'HOSTNAME_MISMATCH', 'INVALID_CA', 'EPROTO'],
    ],
  ],
  ['aborted', ['UND_ERR_DESTROYED', 'UND_ERR_CLOSED', 'ABORT_ERR']],
  ['garbled', ['HPE_INVALID_CONSTANT', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']],
] as const)('a library’s code means %s', (kind, codes) => {
  for (const code of codes) {
    expect(wireFailureFrom(coded(code), true)).toMatchObject({ kind, sent: true, message: code })
    expect(wireFailureFrom(coded(code), false).sent).toBe(false)
  }
})

test('the code is read from the error itself, from the first of several errors, or from the cause', () => {
  const several = Object.assign(new Error('all failed'), { errors: [coded('ENOTFOUND'), coded('EPIPE')] })
  expect(wireFailureFrom(several, false)).toMatchObject({ kind: 'dns', message: 'ENOTFOUND', cause: several })
  expect(wireFailureFrom(new Error('failed', { cause: coded('ECONNREFUSED') }), false)).toMatchObject({
    kind: 'refused',
  })
  expect(wireFailureFrom(Object.assign(coded('EPIPE'), { errors: [] }), false).message).toBe('EPIPE')
  expect(wireFailureFrom(Object.assign(coded('EPIPE'), { errors: 'many' }), false).message).toBe('EPIPE')
  expect(wireFailureFrom({ code: 7 }, false)).toMatchObject({ kind: 'reset', message: 'the connection failed' })
})

test('errors without a code are recognised by their name or message; any other is a broken connection', () => {
  expect(wireFailureFrom(Object.assign(new Error('x'), { name: 'HTTPParserError' }), true).kind).toBe('garbled')
  expect(wireFailureFrom(new Error('Proxy response (407)'), false)).toMatchObject({
    kind: 'proxy',
    message: 'the connection failed',
  })
  for (const nothing of [undefined, null, 'text', new Error('x')])
    expect(wireFailureFrom(nothing, true)).toMatchObject({ kind: 'reset', message: 'the connection failed' })
})

test('the code of a cut has priority over a message about a proxy', () => {
  for (const code of ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ECONNABORTED'])
    expect(wireFailureFrom(Object.assign(new Error('the proxy ended it'), { code }), false).kind).toBe('reset')
})

test('a failure is returned unchanged', () => {
  const failure = new WireFailure('proxy', false, 'status 502')
  expect(wireFailureFrom(failure, true)).toBe(failure)
})

test('only a certificate failure names the NODE_EXTRA_CA_CERTS file, and only if this file cannot be read', () => {
  using m = machine()
  const [there, missing] = [join(m.dir, 'ca.pem'), join(m.dir, 'none.pem')]
  writeFileSync(there, '')
  const factsOf = (code: string, path?: string) =>
    wireFailureFrom(coded(code), false, { env: path === undefined ? {} : { NODE_EXTRA_CA_CERTS: path } }).facts
  expect(factsOf('SELF_SIGNED_CERT_IN_CHAIN', missing)).toEqual({ missingAuthorities: missing })
  for (const path of [there, '', undefined]) expect(factsOf('SELF_SIGNED_CERT_IN_CHAIN', path)).toEqual({})
  expect(factsOf('EPIPE', missing)).toEqual({})
  expect(wireFailureFrom(coded('SELF_SIGNED_CERT_IN_CHAIN'), false).facts).toEqual({})
})

test('a body that ends early counts as cut if its head had arrived', () => {
  for (const error of [
    coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'),
    Object.assign(new Error('Response does not match (Invalid EOF state)'), { name: 'HTTPParserError' }),
  ]) {
    expect(wireFailureFrom(error, true, { begun: true }).kind).toBe('reset')
    expect(wireFailureFrom(error, true, { begun: false }).kind).toBe('garbled')
  }
  expect(wireFailureFrom(coded('HPE_INVALID_CONSTANT'), true, { begun: true }).kind).toBe('garbled')
  for (const nothing of [undefined, null]) expect(wireFailureFrom(nothing, true, { begun: true }).kind).toBe('reset')
})
