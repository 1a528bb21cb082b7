import type { EndpointName } from '../../../contract/endpoints.ts'
import type { Contents } from '../../store/contents.ts'
import { subjectOf } from '../request-subject.ts'
import type { FoundCause } from './cause.ts'

type Request = Contents['requests'][number]

/**
 * The endpoint of each request, and the id of the object that the request is about. The key is the id of the request. The map stays in
 * memory, because reading thousands of requests is slow.
 */
export type Subjects = Map<string, ReturnType<typeof subjectOf>>

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

interface Trace {
  endpoints: readonly EndpointName[]
  at: string
  accounts: ReadonlySet<string>
  abouts: readonly (string | null)[]
}

/** Returns requests as causes, and functions that find the request which made or changed a row. */
export function requestCauses(requests: readonly Request[], subjects: Subjects) {
  const causes = requests.map((row) => asCause(row, subjects))
  const byTime = Map.groupBy(causes, ({ at }) => at)
  const byFault = new Map(requests.flatMap(({ fault }, i) => (fault === null ? [] : [[String(fault), causes[i]]])))
  const taken = new Set<FoundCause>()
  return {
    all: causes,
    /**
     * Finds the request that made a row; undefined when the log does not show which request it was. Returns each request at most one time,
     * because a request makes only one row.
     */
    maker(trace: Trace): FoundCause | undefined {
      const found = this.of(trace, (cause) => !taken.has(cause))
      if (found !== undefined) taken.add(found)
      return found
    },
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
      // A stored request may lack the id of its object, because long bodies are shortened and some ids are masked. So a single candidate is
      // accepted without the id.
      return named ?? (candidates.length === 1 ? candidates[0] : undefined)
    },
    deletion: (id: string) =>
      causes.find(
        ({ about, request }) => request?.endpoint === 'deleteWebhook' && about === id && request.status === 200,
      ),
    met: (harm: string): FoundCause | undefined => byFault.get(harm),
  }
}

export type RequestCauses = ReturnType<typeof requestCauses>
