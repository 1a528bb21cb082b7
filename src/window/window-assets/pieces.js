/** @import { ActionResults } from '../views/rows.ts' */
/** @import { Attributes, Child } from './dom.js' */
import { h, seenOnOneLine } from './dom.js'
import { say, sayFailed } from './said.js'
import { ServiceError } from './server.js'
import { fill, language, refusals, t } from './texts.js'
import { amount } from './time.js'

/** @param {string} text @param {string} kind a class: good, bad, warn, plain, live */
export const pill = (text, kind) => h('span', { class: `pill ${kind}` }, text)

/**
 * Returns a button that runs `work` and shows its message.
 * @param {string} label @param {() => Promise<string | undefined>} work returns the message
 * @param {{ kind?: string, key?: string }} [options]
 */
export function button(label, work, { kind = '', key = label } = {}) {
  const element = h(
    'button',
    { type: 'button', class: kind, 'data-key': key, click: () => void run(element, work) },
    label,
  )
  return element
}

/** The DOM event that `document` sends when an action of the user has succeeded. */
export const ACTED = 'acted'

/** A problem with a text that the user typed into a field. */
export class FieldError extends Error {
  /** @param {HTMLInputElement} field @param {string} message @param {string} [inLanguage] the language of the message */
  constructor(field, message, inLanguage = language) {
    super(message)
    this.field = field
    this.inLanguage = inLanguage
  }
}

/**
 * Runs the work of a button or a form. A second press during the work has no effect.
 * @param {HTMLElement} element @param {() => Promise<string | undefined>} work
 */
export async function run(element, work) {
  if (element.getAttribute('aria-busy') === 'true') return
  element.setAttribute('aria-busy', 'true')
  try {
    const said = await work()
    clearAll(element)
    if (said !== undefined) say(said)
    document.dispatchEvent(new Event(ACTED))
  } catch (error) {
    if (error instanceof FieldError) return faulty(error)
    clearAll(element)
    const translated = error instanceof ServiceError ? inPageLanguage(error) : undefined
    const reason = translated ?? (error instanceof Error ? error.message : String(error))
    const isEnglish = translated === undefined && error instanceof ServiceError
    sayFailed(labelOf(element), reason, isEnglish ? 'en' : language)
  } finally {
    element.removeAttribute('aria-busy')
  }
}

/**
 * Returns why the service refused, in the language of the page, with the numbers that the service named; undefined for English.
 * @param {ServiceError} error
 */
function inPageLanguage({ code, message, said }) {
  if (language === 'en') return undefined
  const numbers = said.match(/\d+/g) ?? []
  const text = refusals[code]?.replace(/\{(\d)\}/g, (_, at) => amount(Number(numbers[Number(at) - 1])))
  return text ?? fill(t.saidInEnglish, { message })
}

/** Returns the words on the button that started the work. @param {HTMLElement} element a button, or a form */
const labelOf = (element) => (element.querySelector('button[type="submit"]') ?? element).textContent

/**
 * Returns a function that does `work`. If the service refuses, the function reports the refusal at the field that caused it.
 * @param {Readonly<Record<string, HTMLInputElement>>} fields by the code of the refusal @param {() => Promise<string | undefined>} work
 */
export const refusedAt = (fields, work) => async () => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const input = fields[error.code]
    if (input === undefined) throw error
    const translated = inPageLanguage(error)
    throw translated === undefined ? new FieldError(input, error.message, 'en') : new FieldError(input, translated)
  }
}

/** @param {FieldError} error */
function faulty({ field: input, message, inLanguage }) {
  clear(input)
  const id = wrongId(input)
  const wrong = h('span', { class: 'wrong', id, role: 'alert', lang: inLanguage }, message)
  input.setAttribute('aria-invalid', 'true')
  input.setAttribute('aria-describedby', id)
  // The message is beside the label and not in it, so that the other parts of a form stay in line.
  ;(input.closest('label') ?? input).after(wrong)
  input.focus()
  input.addEventListener('input', () => clear(input), { once: true })
}

/** Removes the messages of all fields in a form. @param {HTMLElement} element the form, or a button in it */
function clearAll(element) {
  for (const input of element.closest('form')?.querySelectorAll('input') ?? []) clear(input)
}

/** Removes the message of a field. @param {HTMLInputElement} input */
function clear(input) {
  const wrong = document.getElementById(wrongId(input))
  if (wrong === null) return
  input.removeAttribute('aria-invalid')
  input.removeAttribute('aria-describedby')
  wrong.remove()
}

/** @param {HTMLInputElement} input */
const wrongId = ({ name }) => `wrong-${name}`

/**
 * Returns a button that copies a text as it is shown, with control characters as escapes, so that none can reach a terminal.
 * @param {string} text @param {string} label @param {string} [what] describes the text, because many buttons have the same label
 */
export function copyButton(text, label, what = seenOnOneLine(text).slice(0, 80)) {
  const copy = async () => {
    await navigator.clipboard.writeText(seenOnOneLine(text))
    return t.copied
  }
  const element = button(label, copy, { kind: 'small', key: `copy ${label} ${what}` })
  element.setAttribute('aria-label', `${label}: ${what}`)
  return element
}

/** Returns a command line that is broken only between words, unless a word is longer than the line. @param {string} line */
export const shellWords = (line) =>
  line.split(/(\s+)/).map((each, i) => (i % 2 === 1 ? each : h('span', { class: 'word' }, each)))

/** Returns a command line for a terminal, with a button that copies it. @param {string} line */
export const command = (line) =>
  h(
    'p',
    { class: 'command' },
    h('code', {}, h('span', { class: 'prompt', 'aria-hidden': 'true' }, '$ '), shellWords(line)),
    copyButton(line, t.copy),
  )

/** Returns the commands for a part of the page. They are hidden until the user opens them. @param {Child[]} lines */
export const commands = (...lines) => h('details', { class: 'commands' }, h('summary', {}, t.commands), lines)

/** Returns the two ends of a long id and a button that copies the whole id. @param {string} id @param {string} what describes the id */
export const shortId = (id, what) =>
  h(
    'span',
    { class: 'id' },
    h(
      'code',
      { title: seenOnOneLine(id) },
      h(
        'bdi',
        {},
        id.length > 16 ? `${seenOnOneLine(id.slice(0, 8))}…${seenOnOneLine(id.slice(-4))}` : seenOnOneLine(id),
      ),
    ),
    copyButton(id, t.copy, what),
  )

/** Returns a JSON value with its parts in different colours. @param {unknown} value */
export const json = (value) =>
  h('pre', { class: 'json', tabindex: '0', role: 'group', 'aria-label': 'JSON' }, jsonParts(value, ''))

/** @param {unknown} value @param {string} indent @returns {Child} */
function jsonParts(value, indent) {
  if (typeof value === 'string') return h('span', { class: 'text' }, JSON.stringify(value))
  if (typeof value !== 'object' || value === null) return h('span', { class: 'number' }, String(value))
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const entries = Object.entries(value)
  if (entries.length === 0) return isList ? '[]' : '{}'
  return [
    isList ? '[' : '{',
    entries.map(([name, item], i) => [
      `\n${inner}`,
      isList ? '' : [h('span', { class: 'name' }, JSON.stringify(name)), ': '],
      jsonParts(item, inner),
      i < entries.length - 1 ? ',' : '',
    ]),
    `\n${indent}${isList ? ']' : '}'}`,
  ]
}

/** Returns a table of names and values. @param {readonly (readonly [string, Child])[]} pairs */
export const facts = (pairs) =>
  h(
    'dl',
    { class: 'facts' },
    pairs.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
  )

/** @param {string} title @param {Child[]} children */
export const section = (title, ...children) => h('section', { class: 'part' }, h('h3', {}, title), children)

/** Returns a form's field with its label. @param {string} label @param {HTMLElement} control */
export const field = (label, control) => h('label', { class: 'field' }, h('span', {}, label), control)

/** @param {readonly (readonly [value: string, label: string])[]} options @param {Attributes} [attributes] */
export const select = (options, attributes = {}) =>
  h(
    'select',
    attributes,
    options.map(([value, label]) => h('option', { value }, label)),
  )

/**
 * Returns what happens to a test customer. A line can break after each underscore of an error's code.
 * @param {keyof typeof t.fates} fate
 */
export const fateText = (fate) => t.fates[fate].split(/(?<=_)/).map((part, i) => [i > 0 && h('wbr'), part])

/** Returns the message after the payment was made or rejected. @param {ActionResults['pay']['outcome']} outcome */
export const paidNow = (outcome) => t.paidNow[outcome === 'cancelled' ? 'rejected' : outcome]
