import { BnplError, config, type ErrorKind } from '../errors.ts'

/** What a failure of the database is, by the codes of PostgreSQL, of the system and of TLS. */
interface Meaning {
  kind: ErrorKind
  code: string
  what: string
  hint?: string
}

const START = 'Start it, or check the address and the network.'
const CERTIFICATE =
  'A certificate authority of your own goes into NODE_EXTRA_CA_CERTS; the name in the address must be one of the certificate’s.'
const PASSWORD =
  'Give it in BNPL_DATABASE_PASSWORD, PGPASSWORD or --database-password-file FILE; it is never an argument.'

const unreachable = (what: string): Meaning => ({ kind: 'network', code: 'DATABASE_UNREACHABLE', what, hint: START })
const lost = (what: string): Meaning => ({ kind: 'network', code: 'DATABASE_LOST', what })
const login = (what: string, hint?: string): Meaning => ({
  kind: 'config',
  code: 'DATABASE_LOGIN',
  what,
  ...(hint ? { hint } : {}),
})
const full = (what: string): Meaning => ({ kind: 'output', code: 'STATE_FULL', what })

/** The code of what a server says that is not PostgreSQL. */
export const GARBLED = 'BNPL_GARBLED'

const garbled: Meaning = {
  kind: 'network',
  code: 'DATABASE_GARBLED',
  what: 'does not answer as PostgreSQL does',
  hint: 'Something else may be at that address: check the port.',
}

const MEANINGS: Readonly<Record<string, Meaning>> = {
  [GARBLED]: garbled,
  ECONNREFUSED: unreachable('cannot be reached: nothing answers there'),
  ENOENT: unreachable('cannot be reached: there is no such socket'),
  EACCES: unreachable('cannot be reached: its socket may not be opened by this user'),
  ENOTFOUND: unreachable('cannot be reached: its name was not found'),
  EAI_AGAIN: unreachable('cannot be reached: its name was not found'),
  EHOSTUNREACH: unreachable('cannot be reached: no way leads there'),
  ENETUNREACH: unreachable('cannot be reached: no way leads there'),
  ETIMEDOUT: unreachable('cannot be reached: no answer in time'),
  ECONNRESET: lost('cut the connection'),
  EPIPE: lost('cut the connection'),
  '28P01': login('refused the user or the password', PASSWORD),
  '28000': login(
    'does not let this user in from here',
    'See its pg_hba.conf, and whether the user exists; without a password given, one may be asked for.',
  ),
  '3D000': login('does not exist on that server', 'Make it: createdb NAME, owned by the user you connect as.'),
  '42501': {
    kind: 'config',
    code: 'DATABASE_DENIED',
    what: 'does not let this user make or change the tables',
    hint: 'Let it: GRANT CREATE ON DATABASE … TO …',
  },
  '25006': {
    kind: 'config',
    code: 'DATABASE_READ_ONLY',
    what: 'is read-only (a standby?)',
    hint: 'Name the primary server.',
  },
  '53100': full('could not be written: its disk is full'),
  '53200': full('could not be written: it is out of memory'),
  '58030': full('could not be written: its disk failed'),
  '53300': unreachable('has no connection left'),
}

/** Classes of PostgreSQL's codes, by their first two characters. */
const CLASSES: Readonly<Record<string, Meaning>> = {
  '08': lost('cut the connection'),
  '57': lost('is stopping, starting, or cancelled the work'),
}

/** Texts of the driver, which gives these no code. */
const TEXTS: readonly [RegExp, Meaning][] = [
  [/establishing an SSL|unexpected \w+ message|received invalid response/i, garbled],
  [/does not support SSL/, { ...unreachable('does not speak TLS'), code: 'DATABASE_TLS', hint: tlsHint() }],
  [/password must be a (non-empty )?string/, login('asks for a password, and none was given', PASSWORD)],
  [/SASL|SCRAM/, login('could not agree on the password', PASSWORD)],
  [/connection timeout|timeout expired|timeout exceeded/i, unreachable('cannot be reached: no answer in time')],
  [/read timeout/i, lost('did not answer in time')],
  [/terminated|connection error|not queryable|ended|closed/i, lost('cut the connection')],
]

/**
 * What the database or the way to it refused, as an error of ours; an error of ours, and what is neither, stays what it is. Nothing of
 * the server's own text is repeated: it may hold data.
 * @param name the database as people are told of it, `describeDatabase`
 */
export function databaseFailure(name: string, error: unknown): unknown {
  if (error instanceof BnplError || !(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const meaning = MEANINGS[code] ?? tlsMeaning(code) ?? CLASSES[/^[0-9A-Z]{5}$/.test(code) ? code.slice(0, 2) : '']
  const found = meaning ?? TEXTS.find(([text]) => text.test(error.message))?.[1]
  if (found) {
    const { kind, what, hint } = found
    return new BnplError(kind, `the database ${name} ${what}`, { code: found.code, ...(hint ? { hint } : {}) })
  }
  if (!/^[0-9A-Z]{5}$/.test(code)) return error
  return config(`the database ${name} cannot be used (PostgreSQL error ${code})`, undefined, 'DATABASE_UNUSABLE')
}

/** Whether trying again later can help without anybody changing a setting. */
export function isOutage(error: unknown): boolean {
  return error instanceof BnplError && error.kind === 'network'
}

function tlsMeaning(code: string): Meaning | undefined {
  if (!/CERT|^ERR_TLS|^ERR_SSL|SELF_SIGNED|UNABLE_TO_|^EPROTO$/.test(code)) return undefined
  const word = /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'TLS'
  return {
    kind: 'network',
    code: 'DATABASE_TLS',
    what: `is not who it should be, or speaks no TLS we accept (${word}); nothing was sent`,
    hint: CERTIFICATE,
  }
}

function tlsHint(): string {
  return 'Switch it on there (ssl = on). Without it only a database on this machine is spoken to.'
}
