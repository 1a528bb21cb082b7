// What the page asks its server. Everything it shows is read with `show`; everything it does is a control action.

import { setClock } from './time.js'

/** @param {string} path @param {object} input @returns {Promise<any>} */
async function ask(path, input) {
  const answer = await fetch(`/_window/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  if (answer.status === 401) {
    // The sandbox was started anew: the page says how to get in.
    window.location.reload()
    return new Promise(() => {})
  }
  const body = await answer.json()
  if (!answer.ok) throw new Error(body.error?.message ?? `${answer.status}`)
  if (body.clock !== undefined) setClock(body.clock)
  return body.data
}

/** @param {string} view @param {object} [input] */
export const show = (view, input = {}) => ask(`show/${view}`, input)

/** @param {string} action @param {object} [input] */
export const act = (action, input = {}) => ask(`do/${action}`, input)

/**
 * Calls the service itself, as a merchant's backend would.
 * @param {string} key @param {string} path @param {Record<string, string>} fields
 * @returns {Promise<any>} `data` of the answer
 */
export async function callService(key, path, fields) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: new URLSearchParams(fields),
  })
  const body = await answer.json()
  if (!answer.ok) throw new Error(`${answer.status} ${body.error?.code ?? ''}: ${body.error?.message ?? ''}`)
  return body.data
}

/** How long a tab that nobody looks at keeps listening: a browser has six connections to a server, for all its tabs. */
const UNSEEN_MS = 30_000

/**
 * Listens for what changed, while somebody looks.
 * @param {(tables: ReadonlySet<string> | undefined) => void} changed undefined: anything may have
 * @param {(live: boolean) => void} state whether the stream is there
 */
export function listen(changed, state) {
  /** @type {EventSource | undefined} */
  let source
  let leaving = 0
  const open = () => {
    source = new EventSource('/_window/changes')
    source.addEventListener('ready', () => {
      state(true)
      changed(undefined)
    })
    source.addEventListener('changed', (event) => changed(new Set(JSON.parse(event.data))))
    source.addEventListener('error', () => {
      state(false)
      // What is no stream, the browser does not ask for again: the sandbox was started anew, and the page asks who it is.
      if (source?.readyState === EventSource.CLOSED) setTimeout(() => changed(undefined), 1000)
    })
  }
  document.addEventListener('visibilitychange', () => {
    clearTimeout(leaving)
    if (document.visibilityState === 'visible') {
      if (source === undefined || source.readyState === EventSource.CLOSED) open()
      return
    }
    leaving = window.setTimeout(() => {
      source?.close()
      source = undefined
    }, UNSEEN_MS)
  })
  open()
}
