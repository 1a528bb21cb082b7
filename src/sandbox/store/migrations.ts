import { type CreateTableBuilder, sql } from 'kysely'
import { config } from '../../errors.ts'
import type { Db, Tables } from './tables.ts'

/** Each brings the database one version further. What was published is never edited: a change is a new one at the end. */
const MIGRATIONS: readonly ((db: Db) => Promise<void>)[] = [
  firstTables,
  deliveryTables,
  faultTable,
  reportTable,
  dueLeadsIndex,
  queueIndex,
  rateLimitTable,
  faultsMetAndVerifications,
]

const VERSION = 'schemaVersion'

/**
 * Brings the database to this program's version. Any number of processes may do so at once; each step is done by one of them.
 * Throws `config` for the data of a newer bnpl or of another program, and changes nothing.
 * @param name what the database is called in an error
 */
export async function migrate(db: Db, name: string): Promise<void> {
  // Whatever is wrong here is met again below, where it is told apart.
  if ((await readVersion(db).catch(() => undefined)) === MIGRATIONS.length) return
  await db.transaction().execute(async (trx) => {
    const version = await currentVersion(trx)
    if (version === undefined) await beginTables(trx, name)
    if (version !== undefined && version > MIGRATIONS.length) {
      throw config(
        `${name} was written by a newer bnpl (version ${version} of its tables; this one knows ${MIGRATIONS.length})`,
        'Update bnpl, or name another folder with BNPL_STATE_DIR.',
        'SANDBOX_DATA_NEWER',
      )
    }
    for (const step of MIGRATIONS.slice(version ?? 0)) await step(trx)
    const row = { name: VERSION, value: String(MIGRATIONS.length) }
    await trx
      .insertInto('settings')
      .values(row)
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: row.value }))
      .execute()
  })
}

/** The version of the tables; undefined in a database that has none of ours. */
async function currentVersion(db: Db): Promise<number | undefined> {
  const tables = await db.introspection.getTables()
  if (!tables.some((table) => table.name === 'settings')) return undefined
  return readVersion(db)
}

async function readVersion(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', VERSION).executeTakeFirst()
  return row && Number(row.value)
}

async function beginTables(db: Db, name: string): Promise<void> {
  if ((await db.introspection.getTables()).length > 0) {
    throw config(
      `${name} is the database of another program and is left as it is`,
      'Name another folder with BNPL_STATE_DIR.',
      'SANDBOX_DATA_FOREIGN',
    )
  }
  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
}

async function firstTables(db: Db): Promise<void> {
  await table(db, 'partners', {
    text: ['name', 'product', 'apiKey', 'publicKey', 'entityId'],
    integer: ['position', 'evaluationModule', 'active'],
  })
    .addUniqueConstraint('partnersApiKey', ['apiKey'])
    .addUniqueConstraint('partnersPosition', ['position'])
    .execute()
  await table(db, 'preApprovals', {
    text: ['preLoanRequestId', 'partnerId', 'idNumber', 'outcome', 'options', 'details', 'createdAt'],
    optional: ['leadId', 'externalTrxId'],
    bigint: ['amount'],
  }).execute()
  await index(db, 'preApprovals', ['partnerId', 'externalTrxId'])
  await index(db, 'preApprovals', ['partnerId', 'idNumber'])
  await table(db, 'loanRequests', {
    text: ['partnerId', 'preApproveId', 'externalTrxId', 'createdAt'],
    integer: ['installments'],
  }).execute()
  await index(db, 'loanRequests', ['preApproveId'])
  await table(db, 'widgetSessions', {
    text: ['partnerId', 'externalTrxId', 'createdAt', 'expiresAt'],
    optional: ['preApproveId', 'endedAt', 'outcome'],
    bigint: ['amount'],
  }).execute()
  await index(db, 'widgetSessions', ['partnerId', 'externalTrxId'])
  await table(db, 'loans', {
    text: ['partnerId', 'externalTrxId', 'preApproveId', 'state', 'transferDate', 'createdAt'],
    integer: ['periods'],
    bigint: ['loanAmount', 'installmentAmount', 'lastInstallmentAmount'],
  })
    .addColumn('interestRate', 'double precision', (column) => column.notNull())
    .addUniqueConstraint('oneLoanPerTransaction', ['partnerId', 'externalTrxId'])
    .execute()
  await table(db, 'webhooks', {
    text: ['partnerId', 'url', 'verificationScheme', 'eventTypes', 'secret', 'createdAt'],
    optional: ['filters', 'projectId'],
  }).execute()
  await index(db, 'webhooks', ['partnerId'])
  await table(db, 'leads', {
    text: ['partnerId', 'idNumber', 'outcome', 'contact', 'createdAt', 'evaluateAt'],
    optional: ['projectId', 'preApproveId'],
  }).execute()
  await index(db, 'leads', ['partnerId', 'createdAt'])
  await index(db, 'leads', ['evaluateAt'])
  await table(db, 'events', { text: ['partnerId', 'type', 'subject', 'data', 'createdAt'] }).execute()
  await table(db, 'requests', {
    text: ['at', 'method', 'path'],
    optional: ['partner', 'requestBody', 'responseBody'],
    integer: ['status', 'ms'],
  }).execute()
}

async function deliveryTables(db: Db): Promise<void> {
  await table(db, 'deliveries', {
    text: ['eventId', 'webhookId', 'partnerId', 'type', 'state', 'dueAt', 'createdAt'],
    optional: ['claimedBy', 'claimedUntil'],
    integer: ['attempts'],
    bigint: ['position'],
  }).execute()
  await index(db, 'deliveries', ['state', 'dueAt'])
  await index(db, 'deliveries', ['webhookId'])
  await index(db, 'deliveries', ['position'])
  await table(db, 'deliveryAttempts', {
    text: ['deliveryId', 'at', 'answer'],
    optional: ['error', 'chaos'],
    integer: ['number', 'ms'],
  })
    .addColumn('status', 'integer')
    .execute()
  await index(db, 'deliveryAttempts', ['deliveryId'])
}

async function faultTable(db: Db): Promise<void> {
  await table(db, 'faults', { text: ['endpoint', 'harm', 'createdAt'], integer: ['skip', 'times'] }).execute()
}

async function reportTable(db: Db): Promise<void> {
  await table(db, 'reports', { text: ['fingerprint', 'renderedAt', 'pdf'] }).execute()
}

/** Every call asks which evaluations are due: the finished ones must not be walked through. */
async function dueLeadsIndex(db: Db): Promise<void> {
  await index(db, 'leads', ['preApproveId', 'evaluateAt'])
}

/** A destination's next delivery is looked for before each one. */
async function queueIndex(db: Db): Promise<void> {
  await index(db, 'deliveries', ['webhookId', 'state', 'position'])
}

async function rateLimitTable(db: Db): Promise<void> {
  await table(db, 'rateLimits', { bigint: ['fullAt'] }).execute()
}

/** The log of calls is short-lived, and said neither what a call had met nor, once it was pruned, that a loan was verified. */
async function faultsMetAndVerifications(db: Db): Promise<void> {
  await db.schema.alterTable('requests').addColumn('fault', 'text').execute()
  await db.schema.alterTable('loans').addColumn('verifiedAt', 'text').execute()
}

type Columns = Partial<Record<'text' | 'optional' | 'integer' | 'bigint', readonly string[]>>

function table(db: Db, name: keyof Tables, columns: Columns): CreateTableBuilder<string, string> {
  let builder: CreateTableBuilder<string, string> = db.schema
    .createTable(name)
    .addColumn('id', 'text', (column) => column.primaryKey())
  for (const column of columns.text ?? []) builder = builder.addColumn(column, 'text', (c) => c.notNull())
  for (const column of columns.optional ?? []) builder = builder.addColumn(column, 'text')
  for (const column of columns.integer ?? []) builder = builder.addColumn(column, 'integer', (c) => c.notNull())
  for (const column of columns.bigint ?? []) builder = builder.addColumn(column, sql`bigint`, (c) => c.notNull())
  return builder
}

async function index(db: Db, on: keyof Tables, columns: readonly string[]): Promise<void> {
  await db.schema
    .createIndex(`${on}By${columns.join('')}`)
    .on(on)
    .columns([...columns])
    .execute()
}
