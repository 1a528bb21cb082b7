// The page's requests to its server. `show` reads a view, `act` runs a control action.
/** @import { KeyedEndpoint, ResponseData } from '../../../contract/endpoints.ts' */
/** @import { ActionResults, ListName, Lists, Page, Views } from '../views/rows.ts' */
import { key, showDoor } from './entrance.js'
import { setClock } from './time.js'

/** The header with this browser's key. */
const keyHeader = () => ({ 'x-window-key': key() })

/**
 * An answer of the service or the window.
 * @template Data
 * @typedef {{ data: Data, clock?: { now: string, aheadMs: number }, error?: { code?: string, message?: string } }} Answer
 */

/**
 * Sends a request. The server says with its types what it answers.
 * @template Data
 * @param {string} path @param {object} input
 * @returns {Promise<Data>}
 */
async function ask(path, input) {
  const answer = await fetch(`/_window/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...keyHeader() },
    body: JSON.stringify(input),
  })
  if (answer.status === 401) {
    // The key belongs to an earlier run of the sandbox.
    showDoor()
    return new Promise(() => {})
  }
  /** @type {Answer<Data>} */
  const body = await answer.json()
  if (!answer.ok) throw new Error(body.error?.message ?? `${answer.status}`)
  if (body.clock !== undefined) setClock(body.clock)
  return body.data
}

/**
 * Reads a view.
 * @template {keyof Views} Name
 * @param {Name} view @param {object} [input]
 * @returns {Promise<Views[Name]>}
 */
export const show = (view, input = {}) => ask(`show/${view}`, input)

/**
 * Reads a page of a list.
 * @template {ListName} Name
 * @param {Name} list @param {object} input
 * @returns {Promise<Page<Lists[Name]['row']>>}
 */
export const showList = (list, input) => ask(`show/${list}`, input)

/**
 * Runs a control action whose result is shown.
 * @template {keyof ActionResults} Name
 * @param {Name} action @param {object} [input]
 * @returns {Promise<ActionResults[Name]>}
 */
export const act = (action, input = {}) => ask(`do/${action}`, input)

/** @typedef {'snapshotSave' | 'snapshotLoad' | 'reset' | 'faultAdd' | 'faultClear' | 'deliverySchedule'} QuietAction */

/** Runs a control action whose result is not needed. @param {QuietAction} action @param {object} [input] @returns {Promise<void>} */
export const actQuietly = (action, input = {}) => ask(`do/${action}`, input)

/**
 * Calls an endpoint of the service, as a merchant's backend would.
 * @template {KeyedEndpoint} Name
 * @param {Name} _endpoint whose data the answer has
 * @param {string} key @param {string} path @param {Record<string, string>} fields
 * @returns {Promise<ResponseData<Name>>}
 */
export async function callService(_endpoint, key, path, fields) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: new URLSearchParams(fields),
  })
  /** @type {Answer<ResponseData<Name>>} */
  const body = await answer.json()
  if (!answer.ok) throw new Error(`${answer.status} ${body.error?.code ?? ''}: ${body.error?.message ?? ''}`)
  return body.data
}

/** How long a hidden tab keeps its stream, in ms: a browser has six connections to a server for all its tabs. */
const UNSEEN_MS = 30_000

/** How long to wait after a lost connection before the next, in ms. */
const AGAIN_MS = 1000

/**
 * Reports which tables were written, while the tab is visible.
 * @param {(tables: ReadonlySet<string> | undefined) => void} changed undefined: any table may have been written
 * @param {(live: boolean) => void} state whether the stream is connected
 */
export function watchWrites(changed, state) {
  /** @type {AbortController | undefined} */
  let listening
  let leaving = 0
  const open = async () => {
    const own = new AbortController()
    listening = own
    while (!own.signal.aborted) {
      const isOpen = await readStream(own.signal, (name, data) => {
        if (name === 'ready') {
          state(true)
          changed(undefined)
        }
        if (name === 'changed') changed(new Set(JSON.parse(data)))
      }).catch(() => true)
      if (!isOpen) return showDoor()
      if (own.signal.aborted) return
      state(false)
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }
  document.addEventListener('visibilitychange', () => {
    clearTimeout(leaving)
    if (document.visibilityState === 'visible') {
      if (listening === undefined) void open()
      return
    }
    leaving = window.setTimeout(() => {
      listening?.abort()
      listening = undefined
    }, UNSEEN_MS)
  })
  void open()
}

/**
 * Reads server-sent events until the stream ends. An EventSource cannot send the key.
 * @param {AbortSignal} signal @param {(name: string, data: string) => void} received
 * @returns false when the key is not valid
 */
async function readStream(signal, received) {
  const answer = await fetch('/_window/changes', { headers: keyHeader(), signal })
  if (answer.status === 401) return false
  if (!answer.ok || answer.body === null) return true
  let rest = ''
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const messages = (rest + part.value).split('\n\n')
    rest = messages.pop() ?? ''
    for (const message of messages) {
      received(/^event: (.*)$/m.exec(message)?.[1] ?? '', /^data: (.*)$/m.exec(message)?.[1] ?? '')
    }
  }
  return true
}
