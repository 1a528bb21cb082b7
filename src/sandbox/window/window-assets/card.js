// A card of the controls, and the form in it.
/** @import { Child } from './dom.js' */
import { h } from './dom.js'
import { run } from './pieces.js'

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

/** A form that runs `work` when it is sent. @param {Child[]} children @param {() => Promise<string | undefined>} work @param {() => void} [changed] */
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
