import { isLoopback, misreading } from '../domain/addresses.ts'

export interface DatabaseAddress {
  /** A host name, an IP address, or the folder of a Unix socket (`/run/postgresql`). */
  host: string
  port: number
  /** Undefined to use the name of the operating system's user. */
  user: string | undefined
  database: string
  /** Whether the connection is encrypted, and the server's certificate and name are verified. False only for a server on this machine. */
  tls: boolean
}

type DatabaseAddressResult =
  | { ok: true; address: DatabaseAddress; password: string | undefined }
  | { ok: false; reason: string }

const EXAMPLE = 'postgres://user@db.example/shop'
const UNENCRYPTED = ['disable', 'allow', 'prefer']
/** In each of these modes of libpq, bnpl verifies the server, because encryption alone is no protection. */
const ENCRYPTED = ['require', 'verify-ca', 'verify-full']

/**
 * Reads `postgres://user@host:port/database?sslmode=verify-full`, or `postgres:///database?host=/run/postgresql` for a Unix socket. The
 * reason for a refusal never repeats the text, which may contain a password.
 */
export function parseDatabaseAddress(text: string): DatabaseAddressResult {
  const no = (reason: string) => ({ ok: false, reason }) as const
  if (!/^postgres(ql)?:\/\//.test(text)) return no(`it does not begin with postgres://; write it as ${EXAMPLE}`)
  const [beforeQuery = '', ...query] = text.split('?')
  // A parameter may contain an “@”, such as the user name of some providers. Other parameters than the known ones are refused below.
  const isMisread = query.some((part) => /@/.test(part) && !/^(?:[^&#]*&)?(?:user|host|sslmode)=[^#]*$/.test(part))
  const misread = misreading(isMisread ? text : beforeQuery)
  if (misread !== undefined) return no(misread)
  if (text.includes('#')) return no('it has a “#”; write this character as %23 in a password')
  if (!URL.canParse(text)) return no(`it is not an address; write it as ${EXAMPLE}`)
  const url = new URL(text)
  const unknown = [...url.searchParams.keys()].find((key) => !['sslmode', 'host', 'user'].includes(key))
  if (unknown === 'sslrootcert')
    return no('sslrootcert cannot be used here; set NODE_EXTRA_CA_CERTS to the file of your certificate authority')
  if (unknown !== undefined) return no('after the “?” only sslmode, host and user are allowed')
  const [hostname, username, password, database] = [
    url.hostname,
    url.username,
    url.password,
    url.pathname.slice(1),
  ].map(decoded)
  if (hostname === undefined || username === undefined || password === undefined || database === undefined)
    return no('its percent-encoding is wrong; write a “%” as %25')
  if (database === '' || /[\u0000-\u001f\u007f]/.test(database))
    return no(`it has no valid database name; write it as ${EXAMPLE}`)
  const host = url.searchParams.get('host') || hostname.replace(/^\[|\]$/g, '')
  if (host === '') return no(`it has no host name; write it as ${EXAMPLE}`)
  const tls = readTls(url.searchParams.get('sslmode'), host)
  if (typeof tls === 'string') return no(tls)
  return {
    ok: true,
    password: password || undefined,
    address: {
      host,
      port: url.port === '' ? 5432 : Number(url.port),
      user: username || url.searchParams.get('user') || undefined,
      database,
      tls,
    },
  }
}

/** Returns the name of a database for errors and notes: `db.example:5432/shop`. */
export function describeDatabase({ host, port, database }: DatabaseAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}/${database}`
}

function readTls(mode: string | null, host: string): boolean | string {
  const near = host.startsWith('/') || isLoopback(host)
  if (mode === null) return !near
  if (ENCRYPTED.includes(mode)) return true
  if (!UNENCRYPTED.includes(mode)) return `its sslmode is not one of ${[...UNENCRYPTED, ...ENCRYPTED].join(', ')}`
  if (near) return false
  return `sslmode=${mode} could send passwords and personal data over the network unencrypted. Leave sslmode out, so that the connection is encrypted and the server is verified`
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
