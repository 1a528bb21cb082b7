import { expect, test } from 'vitest'
import { WireFailure, type WireFailureKind } from '../wire.ts'
import { describeWireFailure } from './connections.ts'

const NO_TLS = ['no-tls', 'Check the base address, because its port probably does not speak TLS.'] as const
const OTHER_NAME = [
  'other-name',
  'Check the host name in the base address, because the certificate is for another name.',
] as const
const AUTHORITY = [
  'unknown-authority',
  'Set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of the authority that signed the server’s certificate.',
] as const
const UNKNOWN = [
  'unknown',
  'Check the base address. If a private certificate authority signed the server’s certificate, set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of this authority.',
] as const

test.each([
  [
    'CERT_HAS_EXPIRED',
    'expired',
    'Ask the operator of the service for a new certificate, and check the clock of this machine.',
  ],
  [
    'CERT_NOT_YET_VALID',
    'not-yet-valid',
    'Check the clock of this machine. If the clock is right, tell the operator of the service about the certificate.',
  ],
  ['ERR_TLS_CERT_ALTNAME_INVALID', ...OTHER_NAME],
  ['HOSTNAME_MISMATCH', ...OTHER_NAME],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', ...AUTHORITY],
  ['UNABLE_TO_GET_ISSUER_CERT', ...AUTHORITY],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', ...AUTHORITY],
  ['SELF_SIGNED_CERT_IN_CHAIN', ...AUTHORITY],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'self-signed',
    'Set NODE_EXTRA_CA_CERTS to the certificate of the server (PEM), if the server is yours. Otherwise check the base address.',
  ],
  ['ERR_SSL_WRONG_VERSION_NUMBER', ...NO_TLS],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', ...NO_TLS],
  ['EPROTO', 'no-tls', 'Check the base address, because its port probably does not speak TLS.'],
  ['ERR_SSL_OF_TOMORROW', ...UNKNOWN],
])('a TLS failure with the code %s is explained as “%s”', (code, problem, hint) => {
  expect(describeWireFailure(new WireFailure('tls', false, code))).toEqual({
    kind: 'network',
    what: `the secure connection failed (${code})`,
    hint,
    advice: { id: 'check-certificate', problem },
  })
})

test('the code of a certificate explains only failures of TLS; a failure without a code gets the general hint', () => {
  expect(describeWireFailure(new WireFailure('reset', false, 'CERT_HAS_EXPIRED')).advice).toEqual({ id: 'repeat' })
  expect(describeWireFailure(new WireFailure('tls', false, 'the connection failed'))).toEqual({
    kind: 'network',
    what: 'the secure connection failed',
    hint: UNKNOWN[1],
    advice: { id: 'check-certificate', problem: 'unknown' },
  })
})

test('a NODE_EXTRA_CA_CERTS file that cannot be read explains why a certificate is not accepted', () => {
  const facts = { missingAuthorities: '/etc/ca.pem' }
  expect(describeWireFailure(new WireFailure('tls', false, 'SELF_SIGNED_CERT_IN_CHAIN', undefined, facts))).toEqual({
    kind: 'network',
    what: 'the secure connection failed (SELF_SIGNED_CERT_IN_CHAIN), and NODE_EXTRA_CA_CERTS names /etc/ca.pem, which cannot be read',
    hint: 'Set NODE_EXTRA_CA_CERTS to a PEM file that you can read. It must contain the certificate of the authority that signed the server’s certificate.',
    advice: { id: 'check-certificate', problem: 'authorities-unread' },
  })
})

const ASK_UP = 'Check HTTPS_PROXY and that the proxy is up. Nothing was sent.'

test.each<[WireFailureKind, number | undefined, string, string]>([
  [
    'proxy',
    407,
    'the proxy p.example:1 requires a user and a password, or refused those in HTTPS_PROXY (407)',
    'Set HTTPS_PROXY with the right user and password: http://user:password@proxy.example:3128',
  ],
  [
    'proxy',
    403,
    'the proxy p.example:1 does not allow this address (403)',
    'Ask the operator of the proxy to allow the address, or add the address to NO_PROXY.',
  ],
  [
    'proxy',
    502,
    'the proxy p.example:1 could not connect to the address (502)',
    'Ask the operator of the proxy for the reason, or add the address to NO_PROXY. Nothing was sent.',
  ],
  ['refused', undefined, 'nothing answers at the proxy p.example:1', ASK_UP],
  ['dns', undefined, 'the name of the proxy p.example:1 was not found', ASK_UP],
  ['tls', undefined, 'the secure connection to the proxy p.example:1 failed', ASK_UP],
  ['proxy', undefined, 'the proxy p.example:1 did not connect', ASK_UP],
])('a failure “%s” of a proxy, with status %s, is “%s”', (kind, status, what, hint) => {
  const proxy = { name: 'p.example:1', ...(status === undefined ? {} : { status }) }
  const described = (message: string) =>
    describeWireFailure(new WireFailure(kind, false, message, undefined, { proxy }))
  const advice = { id: 'check-proxy', proxy: 'p.example:1', ...(status === undefined ? {} : { status }) }
  expect(described('the connection failed')).toStrictEqual({ kind: 'network', what, hint, advice })
  expect(described('ECODE').what).toBe(`${what} (ECODE)`)
})

test('an answer that was cut into thousands of chunks is named as such', () => {
  const failure = new WireFailure('garbled', true, 'too many small chunks', undefined, { status: 200, shredded: true })
  expect(describeWireFailure(failure)).toMatchObject({
    kind: 'service',
    what: 'the answer comes in thousands of chunks of a few bytes, so it was not read to its end',
  })
})
