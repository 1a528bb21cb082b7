import { expect, test } from 'vitest'
import { describeDatabase, parseDatabaseAddress } from './address.ts'

const address = (text: string) => {
  const parsed = parseDatabaseAddress(text)
  return parsed.ok ? parsed.address : parsed.reason
}

test('a database address is read as libpq reads it', () => {
  expect(address('postgres://shop@db.example/orders')).toEqual({
    host: 'db.example',
    port: 5432,
    user: 'shop',
    database: 'orders',
    tls: true,
  })
  expect(address('postgresql://[::1]:6000/a%20b')).toMatchObject({
    host: '::1',
    port: 6000,
    database: 'a b',
    tls: false,
  })
  expect(address('postgres:///orders?host=/run/postgresql&user=shop')).toMatchObject({
    host: '/run/postgresql',
    user: 'shop',
    tls: false,
  })
  expect(address('postgres://%2Frun%2Fpostgresql/orders')).toMatchObject({ host: '/run/postgresql' })
  expect(parseDatabaseAddress('postgres://u:p%40ss@localhost/d')).toMatchObject({ ok: true, password: 'p@ss' })
})

test('the certificate of a server on another machine is always verified, whatever the mode', () => {
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    expect(address(`postgres://u@db.example/d?sslmode=${mode}`)).toMatchObject({ tls: true })
  for (const mode of ['disable', 'allow', 'prefer']) {
    expect(address(`postgres://u@db.example/d?sslmode=${mode}`)).toMatch('unencrypted')
    expect(address(`postgres://u@127.0.0.1/d?sslmode=${mode}`)).toMatchObject({ tls: false })
  }
  expect(address('postgres://u@127.0.0.1/d?sslmode=verify-full')).toMatchObject({ tls: true })
  // A host in the query replaces the loopback host before it. So it also decides whether TLS is used.
  expect(address('postgres://localhost/d?host=db.example')).toMatchObject({ host: 'db.example', tls: true })
})

test.each([
  ['mysql://u@h/d', 'postgres://'],
  ['postgres://u@h', 'has no valid database name'],
  ['postgres:///d', 'has no host name'],
  ['postgres://u@h/d?sslmode=maybe', 'sslmode'],
  ['postgres://u@h/d?options=-c', 'only sslmode'],
  ['postgres://u@h/d?sslrootcert=ca.pem', 'NODE_EXTRA_CA_CERTS'],
  ['postgres://u:canary%zz@h/d', '%'],
  ['postgres://u@h:99999/canary', 'not an address'],
])('the database address %s is refused, and the error does not repeat it', (text, reason) => {
  expect(address(text)).toContain(reason)
  expect(address(text)).not.toContain('canary')
})

test('messages name a database without its user', () => {
  expect(describeDatabase({ host: '::1', port: 5432, user: 'u', database: 'd', tls: true })).toBe('[::1]:5432/d')
})

test.each([
  ['x postgres://u@h/d', 'it does not begin with postgres://; write it as postgres://user@db.example/shop'],
  ['postgres://u@h:99999/d', 'it is not an address; write it as postgres://user@db.example/shop'],
  ['postgres://u@h/a%00b', 'it has no valid database name; write it as postgres://user@db.example/shop'],
  ['postgres://u@h/a%1fb', 'it has no valid database name; write it as postgres://user@db.example/shop'],
  ['postgres://u@h/a%7fb', 'it has no valid database name; write it as postgres://user@db.example/shop'],
  ['postgres:///d?host=', 'it has no host name; write it as postgres://user@db.example/shop'],
  ['postgres://u@h/d?sslmode=', 'its sslmode is not one of disable, allow, prefer, require, verify-ca, verify-full'],
  [
    'postgres://u@127.0.0.1/d?sslmode=maybe',
    'its sslmode is not one of disable, allow, prefer, require, verify-ca, verify-full',
  ],
  [
    'postgres://u@h/d?sslrootcert=x',
    'sslrootcert cannot be used here; set NODE_EXTRA_CA_CERTS to the file of your certificate authority',
  ],
  ['postgres://u@h/d?port=1', 'after the “?” only sslmode, host and user are allowed'],
  ['postgres://u@h/d%zz', 'its percent-encoding is wrong; write a “%” as %25'],
  [
    'postgres://u@h/d?sslmode=prefer',
    'sslmode=prefer could send passwords and personal data over the network unencrypted. Leave sslmode out, so that the connection is encrypted and the server is verified',
  ],
])('the database address %s is refused with the exact reason', (text, reason) => {
  expect(address(text)).toBe(reason)
})

test('the user before the host overrides the user in the query, and the port is read', () => {
  expect(address('postgres://a@h:6543/d?user=b')).toMatchObject({ user: 'a', port: 6543 })
  expect(address('postgres://h/d?user=b')).toMatchObject({ user: 'b', port: 5432 })
  expect(address('postgres://h/d')).toMatchObject({ user: undefined })
  expect(parseDatabaseAddress('postgres://a@h/d')).toMatchObject({ password: undefined })
  expect(address('postgres://h/d?host=[x]')).toMatchObject({ host: '[x]' })
})

test('a host name, an IPv4 address and a socket folder are shown unchanged', () => {
  for (const host of ['db.example', '10.0.0.1', '/run/postgresql'])
    expect(describeDatabase({ host, port: 1, user: undefined, database: 'd', tls: true })).toBe(`${host}:1/d`)
})
