/** @import { KeyedEndpoint, ResponseData } from '../../contract/endpoints.ts' */
/** @import { ActionResults, ListName, Lists, Page, Views } from '../views/rows.ts' */
import { key, showDoor } from './entrance.js'
import { t } from './texts.js'
import { setClock } from './time.js'

/** An error in an answer of the service. Its message is in English, even if the page has another language. */
export class ServiceError extends Error {
  /** @param {string} code `ERR_…`, '' for none @param {string} message @param {string} [said] what the service itself says */
  constructor(code, message, said = message) {
    super(message)
    this.code = code
    this.said = said
  }
}

/**
 * @template Data @typedef {{ data: Data, clock?: { now: string, aheadMs: number }, error?: { code?: string, message?: string } }} Answer
 */

/** @template Data @param {string} path @param {object} input @returns {Promise<Data>} */
async function ask(path, input) {
  const answer = await fetch(`/_window/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-window-key': key() },
    body: JSON.stringify(input),
  }).catch(() => {
    throw new Error(t.awayHow)
  })
  if (answer.status === 401) {
    // The key is no longer valid, so show how to get a new one.
    showDoor()
    return new Promise(() => {})
  }
  /** @type {Answer<Data>} */
  const body = await answer.json()
  if (!answer.ok) throw new ServiceError(body.error?.code ?? '', body.error?.message ?? `${answer.status}`)
  if (body.clock !== undefined) setClock(body.clock)
  return body.data
}

/** Reads a view. @template {keyof Views} Name @param {Name} view @param {object} [input] @returns {Promise<Views[Name]>} */
export const show = (view, input = {}) => ask(`show/${view}`, input)

/**
 * Reads a page of a list.
 * @template {ListName} Name @param {Name} list @param {object} input @returns {Promise<Page<Lists[Name]['row']>>}
 */
export const showList = (list, input) => ask(`show/${list}`, input)

/**
 * Runs a control action and returns its result.
 * @template {keyof ActionResults} Name @param {Name} action @param {object} [input] @returns {Promise<ActionResults[Name]>}
 */
export const act = (action, input = {}) => ask(`do/${action}`, input)

/** Makes the key of this browser invalid, and shows how to open the window. */
export async function leave() {
  await ask('leave', {})
  showDoor()
}

/** @typedef {'snapshotSave' | 'snapshotLoad' | 'reset' | 'faultAdd' | 'faultClear' | 'deliverySchedule' | 'windowLink'} QuietAction */

/** Runs a control action whose result is not needed. @param {QuietAction} action @param {object} [input] @returns {Promise<void>} */
export const actQuietly = (action, input = {}) => ask(`do/${action}`, input)

/**
 * Calls an endpoint of the service, as a merchant's backend would.
 * @template {KeyedEndpoint} Name @param {Name} _endpoint only for the type of the answer
 * @param {string} apiKey @param {string} path @param {Record<string, string>} fields @returns {Promise<ResponseData<Name>>}
 */
export async function callService(_endpoint, apiKey, path, fields) {
  const answer = await fetch(path, {
    method: 'POST',
    // A request with the window's key is answered in the sandbox's own format, even if the sandbox follows the description of a service (`--service`).
    headers: { authorization: `Bearer ${apiKey}`, 'x-window-key': key() },
    body: new URLSearchParams(fields),
  }).catch(() => {
    throw new Error(t.awayHow)
  })
  /** @type {Answer<ResponseData<Name>>} */
  const body = await answer.json()
  if (!answer.ok) {
    const { code = '', message = '' } = body.error ?? {}
    throw new ServiceError(code, `${answer.status} ${code}: ${message}`, message)
  }
  return body.data
}
