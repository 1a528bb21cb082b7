/** @import { Child } from './dom.js' */
import { h } from './dom.js'
import { run } from './pieces.js'
import { t } from './texts.js'

/** @param {string} title @param {string} how @param {Child[]} children */
export function card(title, how, ...children) {
  return h(
    'section',
    { class: 'card', 'aria-label': title },
    h('h2', {}, title),
    how !== '' && h('p', { class: 'soft' }, how),
    children,
  )
}

/**
 * Returns a form that runs `work` when it is submitted.
 * @param {Child[]} children @param {() => Promise<string | undefined>} work @param {() => void} [changed]
 */
export function form(children, work, changed) {
  const element = h(
    'form',
    {
      class: 'inline-form',
      submit: (event) => {
        event.preventDefault()
        void run(element, work)
      },
      input: () => changed?.(),
    },
    children,
  )
  return element
}

/**
 * Returns a button that asks before it runs `work`.
 * @param {string} label of this button, and of the button that confirms @param {string} question
 * @param {() => Promise<string | undefined>} work @param {{ kind?: string, key?: string }} [options]
 */
export function askingButton(label, question, work, { kind = '', key = label } = {}) {
  const agree = () => {
    sure.close()
    void run(opener, work)
  }
  const sure = h(
    'dialog',
    { 'aria-label': label },
    h('p', {}, question),
    h(
      'div',
      { class: 'buttons' },
      h('button', { type: 'button', click: () => sure.close() }, t.cancel),
      h('button', { type: 'button', class: 'danger', click: agree }, label),
    ),
  )
  const opener = h('button', { type: 'button', class: kind, 'data-key': key, click: () => sure.showModal() }, label)
  return [opener, sure]
}
