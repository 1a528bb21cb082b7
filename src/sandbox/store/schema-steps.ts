import { randomBytes, randomUUID } from 'node:crypto'
import { type ColumnDataType, type CreateTableBuilder, type RawBuilder, sql } from 'kysely'
import type { Db, Tables } from './tables.ts'

export interface Engine {
  /** The column type for text that is compared byte by byte. */
  text: ColumnDataType | RawBuilder<unknown>
  made(db: Db, table: keyof Tables): Promise<void>
}

type SchemaStep = (db: Db, engine: Engine) => Promise<void>

/** The steps that create and change the tables. Never edit a published step. Add a new step at the end. */
export const SCHEMA_STEPS: readonly SchemaStep[] = [
  firstTables,
  deliveryTables,
  faultTable,
  reportTable,
  dueLeadsIndex,
  queueIndex,
  rateLimitTable,
  faultsMetAndVerifications,
  productionKeys,
  faultsOfDeliveries,
  passedRequests,
]

/** Creates the table `settings`. Each engine does this in its own first step, so this function is not in `SCHEMA_STEPS`. */
export async function settingsTable(db: Db, engine: Engine): Promise<void> {
  await db.schema
    .createTable('settings')
    .addColumn('name', engine.text, (column) => column.primaryKey())
    .addColumn('value', engine.text, (column) => column.notNull())
    .execute()
  await engine.made(db, 'settings')
}

async function firstTables(db: Db, engine: Engine): Promise<void> {
  const partners = {
    text: ['name', 'product', 'apiKey', 'publicKey', 'entityId'],
    integer: ['position', 'evaluationModule', 'active'],
  }
  await table(db, engine, 'partners', partners, (columns) =>
    columns.addUniqueConstraint('partnersApiKey', ['apiKey']).addUniqueConstraint('partnersPosition', ['position']),
  )
  await table(db, engine, 'preApprovals', {
    text: ['preLoanRequestId', 'partnerId', 'idNumber', 'outcome', 'options', 'details', 'createdAt'],
    optional: ['leadId', 'externalTrxId'],
    integer: ['amount'],
  })
  await index(db, 'preApprovals', ['partnerId', 'externalTrxId'])
  await index(db, 'preApprovals', ['partnerId', 'idNumber'])
  await table(db, engine, 'loanRequests', {
    text: ['partnerId', 'preApproveId', 'externalTrxId', 'createdAt'],
    integer: ['installments'],
  })
  await index(db, 'loanRequests', ['preApproveId'])
  await table(db, engine, 'widgetSessions', {
    text: ['partnerId', 'externalTrxId', 'createdAt', 'expiresAt'],
    optional: ['preApproveId', 'endedAt', 'outcome'],
    integer: ['amount'],
  })
  await index(db, 'widgetSessions', ['partnerId', 'externalTrxId'])
  const loans = {
    text: ['partnerId', 'externalTrxId', 'preApproveId', 'state', 'transferDate', 'createdAt'],
    integer: ['periods', 'loanAmount', 'installmentAmount', 'lastInstallmentAmount'],
  }
  await table(db, engine, 'loans', loans, (columns) =>
    columns
      .addColumn('interestRate', 'double precision', (column) => column.notNull())
      .addUniqueConstraint('oneLoanPerTransaction', ['partnerId', 'externalTrxId']),
  )
  await table(db, engine, 'webhooks', {
    text: ['partnerId', 'url', 'verificationScheme', 'eventTypes', 'secret', 'createdAt'],
    optional: ['filters', 'projectId'],
  })
  await index(db, 'webhooks', ['partnerId'])
  await table(db, engine, 'leads', {
    text: ['partnerId', 'idNumber', 'outcome', 'contact', 'createdAt', 'evaluateAt'],
    optional: ['projectId', 'preApproveId'],
  })
  await index(db, 'leads', ['partnerId', 'createdAt'])
  await index(db, 'leads', ['evaluateAt'])
  await table(db, engine, 'events', { text: ['partnerId', 'type', 'subject', 'data', 'createdAt'] })
  await table(db, engine, 'requests', {
    text: ['at', 'method', 'path'],
    optional: ['partner', 'requestBody', 'responseBody'],
    integer: ['status', 'ms'],
  })
}

async function deliveryTables(db: Db, engine: Engine): Promise<void> {
  await table(db, engine, 'deliveries', {
    text: ['eventId', 'webhookId', 'partnerId', 'type', 'state', 'dueAt', 'createdAt'],
    optional: ['claimedBy', 'claimedUntil'],
    integer: ['attempts', 'position'],
  })
  await index(db, 'deliveries', ['state', 'dueAt'])
  await index(db, 'deliveries', ['webhookId'])
  await index(db, 'deliveries', ['position'])
  const attempts = { text: ['deliveryId', 'at', 'answer'], optional: ['error', 'chaos'], integer: ['number', 'ms'] }
  await table(db, engine, 'deliveryAttempts', attempts, (columns) => columns.addColumn('status', 'integer'))
  await index(db, 'deliveryAttempts', ['deliveryId'])
}

async function faultTable(db: Db, engine: Engine): Promise<void> {
  await table(db, engine, 'faults', { text: ['endpoint', 'harm', 'createdAt'], integer: ['skip', 'times'] })
}

async function reportTable(db: Db, engine: Engine): Promise<void> {
  await table(db, engine, 'reports', { text: ['fingerprint', 'renderedAt', 'pdf'] })
}

async function dueLeadsIndex(db: Db): Promise<void> {
  await index(db, 'leads', ['preApproveId', 'evaluateAt'])
}

async function queueIndex(db: Db): Promise<void> {
  await index(db, 'deliveries', ['webhookId', 'state', 'position'])
}

async function rateLimitTable(db: Db, engine: Engine): Promise<void> {
  await table(db, engine, 'rateLimits', { integer: ['fullAt'] })
}

async function faultsMetAndVerifications(db: Db, engine: Engine): Promise<void> {
  await db.schema.alterTable('requests').addColumn('fault', engine.text).execute()
  await db.schema.alterTable('loans').addColumn('verifiedAt', engine.text).execute()
}

/** Adds a second row with production keys for each account (specification: "Authentication"). Production has separate data. */
async function productionKeys(db: Db, engine: Engine): Promise<void> {
  await db.schema
    .alterTable('partners')
    .addColumn('environment', engine.text, (column) => column.notNull().defaultTo('beta'))
    .execute()
  const beta = await db.selectFrom('partners').selectAll().orderBy('position').execute()
  const key = (prefix: string) => `${prefix}_sandbox_production_${randomBytes(24).toString('base64url')}`
  for (const row of beta) {
    const twin = {
      ...row,
      id: randomUUID(),
      position: row.position + beta.length,
      name: `${row.name} (production)`,
      environment: 'production',
      apiKey: key('sk'),
      publicKey: key('pk'),
    } as const
    await db.insertInto('partners').values(twin).execute()
  }
}

async function faultsOfDeliveries(db: Db, engine: Engine): Promise<void> {
  await db.schema.alterTable('deliveries').addColumn('fault', engine.text).execute()
}

async function passedRequests(db: Db, engine: Engine): Promise<void> {
  await db.schema.alterTable('requests').addColumn('passed', engine.text).execute()
}

type Columns = Partial<Record<'text' | 'optional' | 'integer', readonly string[]>>
type Builder = CreateTableBuilder<string, string>

async function table(
  db: Db,
  engine: Engine,
  name: keyof Tables,
  columns: Columns,
  more: (columns: Builder) => Builder = (made) => made,
): Promise<void> {
  let builder: Builder = db.schema.createTable(name).addColumn('id', engine.text, (column) => column.primaryKey())
  for (const column of columns.text ?? []) builder = builder.addColumn(column, engine.text, (c) => c.notNull())
  for (const column of columns.optional ?? []) builder = builder.addColumn(column, engine.text)
  for (const column of columns.integer ?? []) builder = builder.addColumn(column, sql`bigint`, (c) => c.notNull())
  await more(builder).execute()
  await engine.made(db, name)
}

async function index(db: Db, on: keyof Tables, columns: readonly string[]): Promise<void> {
  await db.schema
    .createIndex(`${on}By${columns.join('')}`)
    .on(on)
    .columns([...columns])
    .execute()
}
