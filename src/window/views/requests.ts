import type { EndpointName } from '../../contract/endpoints.ts'
import { type Language, languageOf } from '../../contract/languages.ts'
import { findProblem } from '../../contract/problem.ts'
import { statusMeaning } from '../../contract/statuses.ts'
import { callIn, generalIn } from '../../contract/words.ts'
import { flagInput, textInput } from '../../sandbox/service/controls/control-action.ts'
import { keptFields, subjectOf } from '../../sandbox/service/request-log.ts'
import { countRequests, findRequest, listRequestHeads } from '../../sandbox/store/requests.ts'
import type { PassedCall, RequestRow } from '../../sandbox/store/tables.ts'
import { asBnpl, asCurl } from './as-command.ts'
import type { ProblemView } from './rows.ts'
import { PAGE_ROWS, pageInput, profileFor, type ViewsByName } from './view.ts'

/** Returns the endpoint and the subject of a request. For a request that `bnpl proxy` passed on, the proxy has stored the endpoint. */
function withSubject<Row extends Parameters<typeof subjectOf>[0] & { passed: PassedCall | null }>(row: Row) {
  const { endpoint, about } = subjectOf(row)
  return { endpoint: row.passed === null ? endpoint : row.passed.endpoint, about }
}

export const requestViews: Pick<ViewsByName, 'requests' | 'request'> = {
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
      problem: problemOf(row, endpoint, language),
      ...(row.passed === null
        ? {
            asCurl: asCurl(baseUrl, row, sent ?? {}),
            asBnpl: asBnpl(row, sent ?? {}, await profileFor(db, row.partner)),
          }
        : { asCurl: null, asBnpl: null }),
    }
  },
}

function problemOf(
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
