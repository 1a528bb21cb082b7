import { expect, test } from 'vitest'
import { describeDatabase, parseDatabaseAddress } from './database-address.ts'

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
  // A host in the query overrides the loopback host before it, for TLS too.
  expect(address('postgres://localhost/d?host=db.example')).toMatchObject({ host: 'db.example', tls: true })
})

test.each([
  ['mysql://u@h/d', 'postgres://'],
  ['postgres://u@h', 'names no database'],
  ['postgres:///d', 'names no host'],
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
