import type { ServiceDescription } from '../../contract/description.ts'
import { ENDPOINT_NAMES, type EndpointName, endpointOf } from '../../contract/endpoints.ts'
import { EVENTS } from '../../contract/events.ts'
import { DESTINATION_LIMIT } from '../../contract/integrations.ts'
import { callIn, generalIn, type Language, languageOf } from '../../contract/languages.ts'
import { findProblem } from '../../contract/problem.ts'
import { statusMeaning } from '../../contract/statuses.ts'
import { MARK, profileOf } from '../../domain/sandbox-accounts.ts'
import { baseOf } from '../../sandbox/addresses.ts'
import { TEST_CUSTOMERS } from '../../sandbox/records/customers.ts'
import type { ShownCause, SinceView } from '../../sandbox/service/cause.ts'
import { changesSince } from '../../sandbox/service/changes.ts'
import { shownService } from '../../sandbox/service/control.ts'
import { flagInput, textInput } from '../../sandbox/service/controls/control-action.ts'
import { deliveryRecord } from '../../sandbox/service/controls/deliveries.ts'
import { snapshotInput, snapshotNames } from '../../sandbox/service/controls/snapshots.ts'
import { deliveryBody, messageFor, timeoutOf } from '../../sandbox/service/deliveries/post.ts'
import { Refusal } from '../../sandbox/service/refusal.ts'
import { keptFields, subjectOf } from '../../sandbox/service/request-log.ts'
import {
  deliveryWithAttempts,
  findEvent,
  findWebhook,
  listDeliveries,
  partnerWebhooks,
} from '../../sandbox/store/deliveries.ts'
import { findAnyLead } from '../../sandbox/store/evaluations.ts'
import { DELIVERY, DOWNLOAD, EVERY, kindsAt, PAGE_VISIT } from '../../sandbox/store/fault-effect.ts'
import { listFaults } from '../../sandbox/store/faults.ts'
import { listAccounts, listPartners, retrySteps } from '../../sandbox/store/partners.ts'
import { countRequests, findRequest, listRequestHeads } from '../../sandbox/store/requests.ts'
import { countRowsOf, type Db, StoreRefusal } from '../../sandbox/store/store.ts'
import { fromJsonColumn, type PassedCall, type RequestRow } from '../../sandbox/store/tables.ts'
import { maskKey } from '../../text/masking.ts'
import { asBnpl, asCurl } from './as-command.ts'
import { leadViews, nameOfLead, paymentViews } from './payments.ts'
import type { CauseView, DeliveryView, DestinationsView, ProblemView } from './rows.ts'
import { PAGE_ROWS, pageInput, profileFor, type ViewsByName } from './view.ts'

/** `controls`: accounts with their keys, test customers, endpoints, faults, snapshots, and the service that the sandbox is. */
const controlsView: ViewsByName['controls'] = async (_input, { store: { db }, snapshotDir, description }) => ({
  partners: listAccounts(db).map((account) => ({
    ...account,
    production: { ...account.production, base: baseOf('', 'production') },
    profile: profileOf(account) ?? null,
  })),
  customers: TEST_CUSTOMERS,
  endpoints: [
    ...ENDPOINT_NAMES.map((name) => {
      const { method, path } = endpointOf(name)
      return { name, method, path, kinds: kindsAt(name) }
    }),
    ...([DOWNLOAD, EVERY, DELIVERY, PAGE_VISIT] as const).map((name) => ({
      name,
      method: '',
      path: '',
      kinds: kindsAt(name),
    })),
  ],
  faults: listFaults(db),
  snapshots: await snapshotNames(snapshotDir),
  service: shownService(description),
})

/** The views of what changed since a snapshot. The input `since` is the name of that snapshot (`mark` by default). */
const changeViews: Pick<ViewsByName, 'changes' | 'change'> = {
  /** `changes {page, since?, onlyChanges?}`: requests and other causes of changes, newest first. */
  async changes(input, service) {
    const { page, offset } = pageInput(input)
    const name = textInput(input, 'since') ?? MARK
    const { snapshotDir } = service
    const snapshots = (await snapshotNames(snapshotDir)) ?? []
    const empty = { page, pageRows: PAGE_ROWS, total: 0, rows: [], requests: 0, changes: 0, since: null, snapshots }
    if (!snapshots.includes(name)) return { ...empty, problem: null }
    const asked = { offset, limit: PAGE_ROWS, onlyChanges: flagInput(input, 'onlyChanges') }
    try {
      const { causes, at, ...counts } = await changesSince(service, snapshotInput({ name }, service), asked)
      const rows = await Promise.all(causes.map((cause) => withLead(service.store.db, cause)))
      return { ...empty, ...counts, rows, since: { name, at }, problem: null }
    } catch (error) {
      return { ...empty, problem: problemOf(error) }
    }
  },

  async change(input, service) {
    const asked = { offset: 0, limit: Number.POSITIVE_INFINITY, onlyChanges: false }
    try {
      const file = snapshotInput({ name: textInput(input, 'since') ?? MARK }, service)
      const { causes } = await changesSince(service, file, asked)
      const cause = causes.find(({ id }) => id === input.id)
      return cause === undefined ? null : await withLead(service.store.db, cause)
    } catch (error) {
      problemOf(error)
      return null
    }
  },
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

async function withLead(db: Db, cause: ShownCause): Promise<CauseView> {
  const lead = cause.about !== null && UUID.test(cause.about) ? findAnyLead(db, cause.about) : undefined
  return { ...cause, lead: lead === undefined ? null : nameOfLead(lead) }
}

function problemOf(error: unknown): SinceView['problem'] {
  if (error instanceof Refusal && error.code === 'ERR_SNAPSHOT_OF_ANOTHER_SANDBOX') return 'foreign'
  if (error instanceof StoreRefusal || error instanceof Refusal) return 'unreadable'
  throw error
}

/** Returns the endpoint and the subject of a request. For a request that `bnpl proxy` passed on, the proxy has stored the endpoint. */
function withSubject<Row extends Parameters<typeof subjectOf>[0] & { passed: PassedCall | null }>(row: Row) {
  const { endpoint, about } = subjectOf(row)
  return { endpoint: row.passed === null ? endpoint : row.passed.endpoint, about }
}

const requestViews: Pick<ViewsByName, 'requests' | 'request'> = {
  /** `requests {page, search?, failed?}`: requests without their bodies, newest first. */
  async requests(input, { store: { db } }) {
    const { page, offset } = pageInput(input)
    const filter = { search: textInput(input, 'search'), failed: flagInput(input, 'failed') }
    const rows = listRequestHeads(db, offset, PAGE_ROWS, filter)
    return {
      page,
      pageRows: PAGE_ROWS,
      total: countRequests(db, filter),
      rows: rows.map(({ requestBody, ...row }) => ({ ...row, ...withSubject({ ...row, requestBody }) })),
    }
  },

  /** `request {id, language?}`: one request, masked; null when it is no longer stored. */
  async request(input, { store: { db }, baseUrl }) {
    const row = findRequest(db, textInput(input, 'id') ?? '')
    if (row === undefined) return null
    const { requestBody, responseBody, ...head } = row
    const { endpoint, about } = withSubject(row)
    const sent = keptFields(requestBody)
    const language = languageOf(textInput(input, 'language'))
    return {
      ...head,
      endpoint,
      about,
      summary: endpoint === null ? null : callIn(language, endpoint).summary,
      sent: sent ?? requestBody,
      answer: keptFields(responseBody) ?? responseBody,
      problem: errorOf(row, endpoint, language),
      ...(row.passed === null
        ? {
            asCurl: asCurl(baseUrl, row, sent ?? {}),
            asBnpl: asBnpl(row, sent ?? {}, await profileFor(db, row.partner)),
          }
        : { asCurl: null, asBnpl: null }),
    }
  },
}

function errorOf(
  { status, responseBody, passed }: Pick<RequestRow, 'status' | 'responseBody'> & { passed: PassedCall | null },
  name: EndpointName | null,
  language: Language,
): ProblemView | null {
  if (status !== 0 && status < 400) return null
  // `bnpl proxy` passed this request on. The sandbox does not know why the service behind the proxy gave no answer.
  if (status === 0 && passed !== null) return null
  if (status === 0) return { code: null, said: null, meaning: null, hint: null, documented: false }
  const call = name === null ? undefined : callIn(language, name)
  const { code, message } = findProblem(responseBody ?? '')
  const { meaning, hint, codes, documented } = statusMeaning(call, status, code, generalIn(language))
  return {
    code: code ?? null,
    said: message ?? null,
    meaning: (code === undefined ? undefined : codes?.[code]) ?? meaning,
    hint: hint ?? null,
    documented,
  }
}

export const webhookViews: Pick<ViewsByName, 'destinations' | 'deliveries' | 'delivery'> = {
  /** `destinations`: the destinations of each active account, and the waits before a delivery is tried again. */
  async destinations(_input, { store: { db }, description }) {
    const partners: DestinationsView[] = []
    for (const { id, name, product, active, environment } of listPartners(db)) {
      if (active === 0) continue
      const rows = partnerWebhooks(db, id)
      if (environment === 'production' && rows.length === 0) continue
      partners.push({
        partner: name,
        product,
        limit: DESTINATION_LIMIT,
        destinations: rows.map((row) => ({
          id: row.id,
          url: row.url,
          scheme: row.verificationScheme,
          events: fromJsonColumn(row.eventTypes),
          filters: row.filters === null ? null : fromJsonColumn(row.filters),
          projectId: row.projectId,
          secret: row.secret,
          createdAt: row.createdAt,
        })),
      })
    }
    const { steps } = retrySteps(db, description)
    return { partners, stepsMs: steps }
  },

  async deliveries(input, { store: { db }, description }) {
    const { page, offset } = pageInput(input)
    const rows = listDeliveries(db, PAGE_ROWS, undefined, offset)
    const shown = rows.map((row) => describe(row, description))
    return { page, pageRows: PAGE_ROWS, total: countRowsOf(db, 'deliveries'), rows: shown }
  },

  /** `delivery {id}`: one delivery, with its body and headers as they are sent, except for a masked token; null if the id is unknown. */
  async delivery(input, { store: { db }, clock, description }) {
    const row = deliveryWithAttempts(db, textInput(input, 'id') ?? '')
    const event = row && findEvent(db, row.eventId)
    if (!row || !event) return null
    const webhook = findWebhook(db, row.webhookId)
    const body = deliveryBody(event, description)
    const message = webhook && messageFor(webhook, body, description, clock.now())
    return {
      ...describe(row, description),
      stepsMs: EVENTS[event.type].isSentOnce ? [] : retrySteps(db, description).steps,
      scheme: webhook?.verificationScheme ?? null,
      destinations: listDeliveries(db, DESTINATION_LIMIT, event.id).filter(({ url }) => url !== null).length,
      // A signature does not reveal the secret, but a token is the secret itself, so it is masked.
      headers: Object.entries(message?.headers ?? {}).map(([name, value]) => ({
        name,
        value: value === webhook?.secret ? maskKey(value) : value,
      })),
      body: new TextDecoder().decode(body),
    }
  },
}

const describe = (row: Parameters<typeof deliveryRecord>[0], description: ServiceDescription): DeliveryView => ({
  ...deliveryRecord(row),
  deadlineMs: timeoutOf(row.type, description),
})

export const VIEWS: ViewsByName = {
  ...paymentViews,
  ...leadViews,
  ...requestViews,
  ...webhookViews,
  ...changeViews,
  controls: controlsView,
}

export function isViewName(name: string): name is keyof ViewsByName {
  return Object.hasOwn(VIEWS, name)
}
