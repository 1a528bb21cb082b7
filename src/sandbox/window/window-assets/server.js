// What the page asks its server. Everything it shows is read with `show`; everything it does is a control action.
import { key, showDoor } from './entrance.js'
import { setClock } from './time.js'

/** The header that opens what is asked. */
const opening = () => ({ 'x-window-key': key() })

/** @param {string} path @param {object} input @returns {Promise<any>} */
async function ask(path, input) {
  const answer = await fetch(`/_window/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...opening() },
    body: JSON.stringify(input),
  })
  if (answer.status === 401) {
    // The key is of an earlier run of the sandbox.
    showDoor()
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

/** How long after a lost connection the next one is tried, in ms. */
const AGAIN_MS = 1000

/**
 * Listens for what changed, while somebody looks.
 * @param {(tables: ReadonlySet<string> | undefined) => void} changed undefined: anything may have
 * @param {(live: boolean) => void} state whether the stream is there
 */
export function listen(changed, state) {
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
 * Reads server-sent events until the stream ends. An EventSource would do so by itself, but sends no key.
 * @param {AbortSignal} signal @param {(name: string, data: string) => void} told
 * @returns false where the key opens nothing
 */
async function readStream(signal, told) {
  const answer = await fetch('/_window/changes', { headers: opening(), signal })
  if (answer.status === 401) return false
  if (!answer.ok || answer.body === null) return true
  let rest = ''
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const messages = (rest + part.value).split('\n\n')
    rest = messages.pop() ?? ''
    for (const message of messages) {
      told(/^event: (.*)$/m.exec(message)?.[1] ?? '', /^data: (.*)$/m.exec(message)?.[1] ?? '')
    }
  }
  return true
}
