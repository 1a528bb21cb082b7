// All tabs of a browser share one stream of changes, because a browser opens only six connections to a server.
import { key, showDoor } from './entrance.js'

const AGAIN_MS = 1000

/** A hidden tab that cannot share a stream ends its own stream after this time. */
const UNSEEN_MS = 3000

const SHARED_AS = 'bnpl-window-changes'

/** @typedef {{ kind: 'changed', tables: readonly string[] | undefined } | { kind: 'state', isLive: boolean } | { kind: 'hello' }} Told */

/**
 * Reports which tables were written, and whether the sandbox answers.
 * One tab reads the stream and tells the other tabs. When that tab is closed, another tab reads the stream.
 * @param {(tables: ReadonlySet<string> | undefined) => void} changed undefined means that any table may have been written
 * @param {(isLive: boolean) => void} state
 */
export function watchWrites(changed, state) {
  /** @param {Told} told */
  const hear = (told) => {
    if (told.kind === 'changed') changed(told.tables && new Set(told.tables))
    if (told.kind === 'state') state(told.isLive)
  }
  // A page loaded over plain http from another machine has no `navigator.locks`, although TypeScript says that it always exists.
  // Then each visible tab reads its own stream.
  if (!('locks' in navigator)) return readWhileVisible(hear)
  const channel = new BroadcastChannel(SHARED_AS)
  let isLive = false
  let isReader = false
  channel.addEventListener('message', ({ data }) => {
    if (data.kind === 'hello' && isReader) channel.postMessage({ kind: 'state', isLive })
    else hear(data)
  })
  channel.postMessage({ kind: 'hello' })
  void navigator.locks.request(SHARED_AS, async () => {
    isReader = true
    await keepReading(new AbortController().signal, (told) => {
      if (told.kind === 'state') isLive = told.isLive
      channel.postMessage(told)
      hear(told)
    })
  })
}

/** @param {(told: Told) => void} hear */
function readWhileVisible(hear) {
  let reading = new AbortController()
  let leaving = 0
  document.addEventListener('visibilitychange', () => {
    clearTimeout(leaving)
    if (document.visibilityState === 'hidden') leaving = window.setTimeout(() => reading.abort(), UNSEEN_MS)
    else if (reading.signal.aborted) {
      reading = new AbortController()
      void keepReading(reading.signal, hear)
    }
  })
  void keepReading(reading.signal, hear)
}

/**
 * Reads the stream until it is aborted or the key is no longer valid. Connects again when the stream is lost.
 * @param {AbortSignal} signal @param {(told: Told) => void} tell
 */
async function keepReading(signal, tell) {
  while (!signal.aborted) {
    const isInside = await readStream(signal, (name, data) => {
      if (name === 'ready') {
        tell({ kind: 'state', isLive: true })
        tell({ kind: 'changed', tables: undefined })
      }
      if (name === 'changed') tell({ kind: 'changed', tables: JSON.parse(data) })
    }).catch(() => true)
    if (!isInside) return showDoor()
    if (signal.aborted) return
    tell({ kind: 'state', isLive: false })
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
}

/**
 * Reads one stream until it ends. An EventSource is not used, because it cannot send the key. @returns false when the key is not valid
 * @param {AbortSignal} signal @param {(name: string, data: string) => void} received
 */
async function readStream(signal, received) {
  const answer = await fetch('/_window/changes', { headers: { 'x-window-key': key() }, signal })
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
