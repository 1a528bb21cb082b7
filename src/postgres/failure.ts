import { BnplError, config, type ErrorKind } from '../errors.ts'

interface Meaning {
  kind: ErrorKind
  code: string
  what: string
  hint?: string
}

const START = 'Start the database, or check the address and the network.'
const CERTIFICATE =
  'Set NODE_EXTRA_CA_CERTS to the file of your certificate authority, and use a host name that is in the certificate.'
const PASSWORD = 'Set BNPL_DATABASE_PASSWORD or PGPASSWORD, or use --database-password-file FILE.'

const unreachable = (what: string): Meaning => ({ kind: 'network', code: 'DATABASE_UNREACHABLE', what, hint: START })
const lost = (what: string): Meaning => ({ kind: 'network', code: 'DATABASE_LOST', what })
const login = (what: string, hint?: string): Meaning => ({
  kind: 'config',
  code: 'DATABASE_LOGIN',
  what,
  ...(hint ? { hint } : {}),
})
const full = (what: string): Meaning => ({ kind: 'output', code: 'STATE_FULL', what })

const denied = (what: string, hint: string): Meaning => ({ kind: 'config', code: 'DATABASE_DENIED', what, hint })

export const POOLED = 'DATABASE_POOLER'

const pooled: Meaning = {
  kind: 'config',
  code: POOLED,
  what: 'is behind a pooler that does not keep sessions',
  hint: 'Set pool_mode = session in the pooler, or use the database’s own address.',
}

export const GARBLED = 'BNPL_GARBLED'

const garbled: Meaning = {
  kind: 'network',
  code: 'DATABASE_GARBLED',
  what: 'does not answer as PostgreSQL does',
  hint: 'Check the port, because another service may be at that address.',
}

const MEANINGS: Readonly<Record<string, Meaning>> = {
  [GARBLED]: garbled,
  ECONNREFUSED: unreachable('cannot be reached: nothing answers at the address'),
  ENOENT: unreachable('cannot be reached: the socket does not exist'),
  EACCES: unreachable('cannot be reached: this user has no permission to open its socket'),
  ENOTFOUND: unreachable('cannot be reached: its host name was not found'),
  EAI_AGAIN: unreachable('cannot be reached: its host name was not found'),
  EHOSTUNREACH: unreachable('cannot be reached: the network has no route to it'),
  ENETUNREACH: unreachable('cannot be reached: the network has no route to it'),
  ETIMEDOUT: unreachable('cannot be reached: no answer in time'),
  ECONNRESET: lost('closed the connection'),
  EPIPE: lost('closed the connection'),
  ERR_SOCKET_CLOSED: lost('cut the connection'),
  ERR_STREAM_DESTROYED: lost('cut the connection'),
  ERR_STREAM_WRITE_AFTER_END: lost('cut the connection'),
  '28P01': login('refused the user or the password', PASSWORD),
  '28000': login(
    'refused a connection of this user from this machine',
    'Check pg_hba.conf on the server, and that the user exists. The server may also require a password.',
  ),
  '3D000': login(
    'does not exist on that server',
    'Create the database for the user with which bnpl connects: createdb --owner=USER DATABASE',
  ),
  '42501': denied(
    'refused this user: a permission is missing',
    'Ask the owner of the database for permissions: CREATE ON DATABASE if the tables do not exist yet, otherwise SELECT, INSERT, UPDATE and DELETE on the tables.',
  ),
  '25006': {
    kind: 'config',
    code: 'DATABASE_READ_ONLY',
    what: 'is read-only, so it may be a standby',
    hint: 'Use the address of the primary server.',
  },
  '53100': full('could not be written: its disk is full'),
  '53200': full('could not be written: it is out of memory'),
  '58030': full('could not be written: its disk failed'),
  '53300': {
    ...unreachable('has no connection left'),
    hint: 'Close unused connections, or raise a limit: max_connections of the server, or the limit of the user or database.',
  },
  '57P05': lost('ended the connection, which was idle for too long'),
  // PostgreSQL reports these errors behind a pooler that changes connections, because a prepared statement belongs to one connection.
  '42P05': pooled,
  '26000': pooled,
}

const DENIALS: readonly [RegExp, Meaning][] = [
  [
    /permission denied for (database|schema (?!bnpl_))/,
    denied(
      'does not allow this user to create the tables',
      'Run GRANT CREATE ON DATABASE … TO … on the server, or run this bnpl command once as the owner of the database.',
    ),
  ],
  [
    /permission denied for schema/,
    denied('does not allow this user to see the tables', 'Run GRANT USAGE ON SCHEMA … TO …'),
  ],
  [
    /permission denied for (table|relation|sequence|view)/,
    denied(
      'does not allow this user to read or write the tables',
      'Run GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA … TO …; and GRANT USAGE ON ALL SEQUENCES IN SCHEMA … TO …',
    ),
  ],
  [
    /must be (owner|superuser)/,
    denied(
      'does not allow this user to change the tables, which belong to another user',
      'Run this command once as the owner of the tables, so that it can update them for this version of bnpl.',
    ),
  ],
]

const CLASSES: Readonly<Record<string, Meaning>> = {
  '08': lost('cut the connection'),
  '57': lost('is starting or stopping, or cancelled the query'),
}

const TEXTS: readonly [RegExp, Meaning][] = [
  [/establishing an SSL|unexpected \w+ message|received invalid response/i, garbled],
  [/does not support SSL/, { ...unreachable('does not speak TLS'), code: 'DATABASE_TLS', hint: tlsHint() }],
  [/password must be a (non-empty )?string/, login('asks for a password, and none was given', PASSWORD)],
  [/SASL|SCRAM/, login('could not complete the password check', PASSWORD)],
  [/connection timeout|timeout expired|timeout exceeded/i, unreachable('cannot be reached: no answer in time')],
  [/read timeout/i, lost('did not answer in time')],
  [/terminated|connection error|not queryable|ended|closed/i, lost('cut the connection')],
]

/**
 * Turns an error of the database or the connection into a `BnplError`, and returns any other error unchanged. The server's own text is not
 * repeated, because it may contain data.
 */
export function databaseFailure(name: string, error: unknown): unknown {
  if (error instanceof BnplError || !(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // PgBouncer gives this error the code of a protocol error, so recognise the error by its text.
  if (/statement pooling mode/i.test(error.message)) return poolerFailure(name)
  const denial = code === '42501' ? DENIALS.find(([text]) => text.test(error.message))?.[1] : undefined
  const meaning =
    denial ?? MEANINGS[code] ?? tlsMeaning(code) ?? CLASSES[/^[0-9A-Z]{5}$/.test(code) ? code.slice(0, 2) : '']
  const found = meaning ?? TEXTS.find(([text]) => text.test(error.message))?.[1]
  if (found) return failureOf(name, found)
  if (!/^[0-9A-Z]{5}$/.test(code)) return error
  return config(`the database ${name} cannot be used (PostgreSQL error ${code})`, undefined, 'DATABASE_UNUSABLE')
}

const failureOf = (name: string, { kind, code, what, hint }: Meaning): BnplError =>
  new BnplError(kind, `the database ${name} ${what}`, { code, ...(hint ? { hint } : {}) })

/** Returns the error for a pooler that does not keep sessions. */
export const poolerFailure = (name: string): BnplError => failureOf(name, pooled)

/** Whether trying again later can help without a change of settings. */
export function isOutage(error: unknown): boolean {
  return error instanceof BnplError && error.kind === 'network'
}

function tlsMeaning(code: string): Meaning | undefined {
  if (!/CERT|^ERR_TLS|^ERR_SSL|SELF_SIGNED|UNABLE_TO_|^EPROTO$/.test(code)) return undefined
  const word = /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'TLS'
  return {
    kind: 'network',
    code: 'DATABASE_TLS',
    what: `did not prove its identity, or offers no TLS that bnpl accepts (${word}); nothing was sent`,
    hint: CERTIFICATE,
  }
}

function tlsHint(): string {
  return 'Switch TLS on in the server (ssl = on). Only a database on this machine may be used without TLS.'
}
