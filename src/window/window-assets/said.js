import { h, seen } from './dom.js'
import { fill, language, t } from './texts.js'

/**
 * The message of a success disappears after this time. The message of a failure stays until the user closes it or the next message appears.
 */
const SHOWN_MS = 6000

const message = h('p', { 'data-said': '', role: 'status' })
const close = h('button', { type: 'button', class: 'small', hidden: true, click: () => clear() }, t.close)
const quiet = h('p', { class: 'unseen', role: 'status' })
const box = h('div', { class: 'said' }, message, close)
let until = 0

/** Returns the elements that show messages, to be put at the end of the page. */
export const saidBox = () => [box, quiet]

function clear() {
  message.textContent = ''
  close.hidden = true
}

/**
 * Shows a message, and lets a screen reader say it.
 * @param {string} text
 */
export function say(text) {
  show('good', seen(text))
  until = window.setTimeout(clear, SHOWN_MS)
}

/**
 * Shows why an action failed.
 * @param {string} action the label of its button @param {string} reason @param {string} [inLanguage] the language of the reason
 */
export function sayFailed(action, reason, inLanguage = language) {
  show('bad', `${fill(t.failed, { action })} `, h('span', { lang: inLanguage }, seen(reason)))
}

/** @param {'good' | 'bad'} kind @param {(Node | string)[]} parts */
function show(kind, ...parts) {
  clearTimeout(until)
  box.className = `said ${kind}`
  message.lang = language
  message.replaceChildren(...parts)
  close.hidden = kind === 'good'
}

/** Lets a screen reader say a text. @param {string} text */
export function sayAloud(text) {
  quiet.textContent = text
}
