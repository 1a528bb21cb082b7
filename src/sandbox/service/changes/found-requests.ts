import type { EndpointName } from '../../../contract/endpoints.ts'
import type { Contents } from '../../store/contents.ts'
import { subjectOf } from '../request-subject.ts'
import type { FoundCause } from './cause.ts'

type Request = Contents['requests'][number]

/** What requests were about, by their ids: a request never changes, and to read this of thousands takes a while. */
export type Subjects = Map<string, ReturnType<typeof subjectOf>>

/** A request as a cause, without what it changed. */
function asCause(row: Request, subjects: Subjects): FoundCause {
  const { id, at, partner, method, path, status } = row
  const { endpoint, about } = subjects.get(id) ?? subjectOf(row)
  subjects.set(id, { endpoint, about })
  return {
    id,
    by: 'request',
    at,
    account: partner,
    about,
    request: { id, method, path, status, endpoint },
    changes: [],
  }
}

/** What a row shows about the request that made it. Rows have the time at which their request arrived. */
interface Trace {
  endpoints: readonly EndpointName[]
  at: string
  /** The names that the row's account had. */
  accounts: ReadonlySet<string>
  /** The ids of which the request may have named one. */
  abouts: readonly (string | null)[]
}

/** Requests by what a row knows of the request that made it. */
export function requestCauses(requests: readonly Request[], subjects: Subjects) {
  const causes = requests.map((row) => asCause(row, subjects))
  const byTime = Map.groupBy(causes, ({ at }) => at)
  const byFault = new Map(requests.flatMap(({ fault }, i) => (fault === null ? [] : [[String(fault), causes[i]]])))
  const taken = new Set<FoundCause>()
  return {
    all: causes,
    /** The request that made a row; undefined when the log has none that fits, or several. A request makes one row. */
    maker(trace: Trace): FoundCause | undefined {
      const found = this.of(trace, (cause) => !taken.has(cause))
      if (found !== undefined) taken.add(found)
      return found
    },
    /** The request that a row names. */
    of(
      { endpoints, at, accounts, abouts }: Trace,
      isFree: (cause: FoundCause) => boolean = () => true,
    ): FoundCause | undefined {
      const candidates = (byTime.get(at) ?? []).filter(
        (cause) =>
          isFree(cause) &&
          accounts.has(cause.account ?? '') &&
          endpoints.some((name) => name === cause.request?.endpoint),
      )
      const named = candidates.find(({ about }) => about !== null && abouts.includes(about))
      // A long body is not stored whole, and a masked id identifies nothing, so the request may not name the id.
      return named ?? (candidates.length === 1 ? candidates[0] : undefined)
    },
    /** The request that deleted a destination. */
    deletion: (id: string) =>
      causes.find(
        ({ about, request }) => request?.endpoint === 'deleteWebhook' && about === id && request.status === 200,
      ),
    /** The latest request that met a fault. @param harm as it is kept with the request */
    met: (harm: string): FoundCause | undefined => byFault.get(harm),
  }
}

export type RequestCauses = ReturnType<typeof requestCauses>
