import { matchEndpoint } from '../../../contract/endpoints.ts'
import { type Language, languageOf } from '../../../contract/languages.ts'
import { findProblem } from '../../../contract/problem.ts'
import { statusMeaning } from '../../../contract/statuses.ts'
import { callIn, generalIn } from '../../../contract/words.ts'
import { type ControlAction, flagInput, textInput } from '../../service/controls/control-action.ts'
import { countRequests, findRequest, listRequestHeads } from '../../store/requests.ts'
import type { RequestRow } from '../../store/tables.ts'
import { asBnpl } from './as-bnpl.ts'
import { asCurl } from './as-curl.ts'
import { PAGE_ROWS, pageInput } from './page-input.ts'
import { profileFor } from './profile.ts'

const nameOf = ({ method, path }: Pick<RequestRow, 'method' | 'path'>) =>
  matchEndpoint(method, path.split('?')[0] ?? '')?.name ?? null

/** `requests {page, path?, failed?}`: calls without their bodies, the newest first. */
export const requests: ControlAction = async (input, { store: { db } }) => {
  const { page, offset } = pageInput(input)
  const filter = { path: textInput(input, 'path'), failed: flagInput(input, 'failed') }
  const rows = await listRequestHeads(db, offset, PAGE_ROWS, filter)
  return {
    page,
    pageRows: PAGE_ROWS,
    total: await countRequests(db, filter),
    rows: rows.map((row) => ({ ...row, endpoint: nameOf(row) })),
  }
}

/** `request {id, language?}`: one call, masked, with what its answer means; null when it is not kept any more. */
export const request: ControlAction = async (input, { store: { db }, baseUrl }) => {
  const row = await findRequest(db, textInput(input, 'id') ?? '')
  if (row === undefined) return null
  const { requestBody, responseBody, ...head } = row
  const endpoint = nameOf(row)
  const sent = readObject(requestBody)
  const language = languageOf(textInput(input, 'language'))
  return {
    ...head,
    endpoint,
    summary: endpoint === null ? null : callIn(language, endpoint).summary,
    sent: sent ?? requestBody,
    answer: readObject(responseBody) ?? responseBody,
    problem: problemOf(row, endpoint, language),
    asCurl: asCurl(baseUrl, row, sent ?? {}),
    asBnpl: asBnpl(row, sent ?? {}, await profileFor(db, row.partner)),
  }
}

/** What was wrong with a call, as the contract has it, and what the service itself said. */
function problemOf(
  { status, responseBody }: Pick<RequestRow, 'status' | 'responseBody'>,
  name: ReturnType<typeof nameOf>,
  language: Language,
) {
  if (status !== 0 && status < 400) return null
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

function readObject(body: string | null): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(body ?? '')
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : undefined
  } catch {
    // Kept short, or never JSON: it is shown as it is.
    return undefined
  }
}
