/** @import { ControlsView, FaultView } from '../views/rows.ts' */
import { card, form } from './card.js'
import { commandLine, optionWords } from './command-line.js'
import { h, redraw } from './dom.js'
import { milliseconds } from './durations.js'
import { effectText } from './fault-effect.js'
import { button, command, FieldError, field, refusedAt, select } from './pieces.js'
import { actQuietly } from './server.js'
import { counted, kinds, t } from './texts.js'

/** @typedef {keyof typeof t.effects} EffectName */

/** @param {string} name @returns {name is EffectName} */
const isEffectName = (name) => Object.hasOwn(t.effects, name)

/** @param {() => Promise<void>} refreshAll */
export function faultCard(refreshAll) {
  const endpoint = select([], { name: 'endpoint' })
  const effect = select([], { name: 'effect' })
  const value = h('input', { name: 'value', size: 6, value: t.effectUnits.status, autocomplete: 'off' })
  const nth = h('input', { name: 'nth', type: 'number', min: 1, value: 1, required: true })
  const times = select(
    [1, 2, 3, 5, 10].map((count) => [String(count), String(count)]),
    { name: 'times' },
  )
  times.append(h('option', { value: '' }, t.always))
  const does = h('p', { class: 'soft does' })
  const line = h('div', {})
  const armed = h('ul', { class: 'kept', 'data-list': 'faults' })

  /** @type {ControlsView['endpoints']} */
  let places = []

  effect.addEventListener('change', () => {
    value.value = isEffectName(effect.value) ? t.effectUnits[effect.value] : ''
    value.disabled = value.value === ''
    changed()
  })
  endpoint.addEventListener('change', offerHarms)

  /** Lists the effects that a fault can have at the chosen place. A fault of a delivery or of the payment page always has a kind. */
  function offerHarms() {
    const kinds = places.find(({ name }) => name === endpoint.value)?.kinds ?? []
    const effects = endpoint.value === 'delivery' || endpoint.value === 'page' ? [] : Object.entries(t.effects)
    const before = effect.value
    redraw(effect, [effects, kinds], () => [
      ...effects.map(([name, label]) => h('option', { value: name }, label)),
      ...kinds.map((kind) => h('option', { value: kind }, kind)),
    ])
    if (effect.value !== before) effect.dispatchEvent(new Event('change'))
  }

  function changed() {
    does.textContent = kinds[effect.value] ?? ''
    const words = [`bnpl sandbox fault add ${endpoint.value || 'evaluate'}`, effectWords(effect.value, value.value)]
    if (nth.value !== '1') words.push(`--nth ${nth.value}`)
    words.push(times.value === '' ? '--always' : times.value === '1' ? '' : `--times ${times.value}`)
    line.replaceChildren(command(words.filter(Boolean).join(' ')))
  }

  async function arm() {
    await actQuietly('faultAdd', {
      endpoint: endpoint.value,
      skip: Number(nth.value) - 1,
      times: times.value === '' ? null : Number(times.value),
      ...effectInput(effect.value, value),
    })
    await refreshAll()
    return t.armedNow
  }

  changed()
  return {
    element: card(
      t.armFault,
      t.armFaultHow,
      form(
        [
          field(t.endpoint, endpoint),
          field(t.what, effect),
          field(t.value, value),
          field(t.nth, nth),
          field(t.times, times),
          h('button', { type: 'submit', class: 'primary' }, t.arm),
        ],
        refusedAt({ ERR_CONTROL_INPUT: value }, arm),
        changed,
      ),
      does,
      line,
      h('h3', {}, t.armed),
      armed,
    ),
    /** @param {ControlsView} shown */
    refresh({ endpoints, faults }) {
      places = endpoints
      redraw(endpoint, endpoints, () =>
        endpoints.map(({ name, method, path }) => h('option', { value: name }, placeName(name, method, path))),
      )
      offerHarms()
      changed()
      redraw(armed, faults, () =>
        faults.length === 0
          ? h('li', { class: 'soft' }, t.noFaults)
          : faults.map((fault) => faultRow(fault, refreshAll)),
      )
    },
  }
}

/** @param {string} name @param {string} method @param {string} path */
function placeName(name, method, path) {
  if (path !== '') return `${name} · ${method} ${path}`
  return { any: t.any, download: t.download, delivery: t.deliveryPlace, page: t.pagePlace }[name] ?? name
}

/** @param {string} effect @param {string} value */
function effectWords(effect, value) {
  return (
    {
      status: optionWords('--status', value),
      delay: optionWords('--delay', value),
      cut: '--cut',
      before: '--cut --before',
      truncate: optionWords('--truncate', value),
    }[effect] ?? optionWords('--kind', effect)
  )
}

/** @param {string} effect @param {HTMLInputElement} field */
function effectInput(effect, field) {
  const value = field.value.trim()
  if (effect === 'status') return { status: Number(value) }
  if (effect === 'truncate') return { truncate: Number(value) }
  if (effect === 'cut' || effect === 'before') return { cut: true, before: effect === 'before' }
  if (effect !== 'delay') return { kind: effect }
  const delayMs = milliseconds(value)
  if (delayMs === undefined) throw new FieldError(field, t.notDuration)
  return { delayMs }
}

/** @param {FaultView} fault @param {() => Promise<void>} refreshAll */
function faultRow(fault, refreshAll) {
  const { id, endpoint, skip, times } = fault
  return h(
    'li',
    {},
    h(
      'p',
      {},
      h('strong', {}, endpoint),
      ' ',
      h('span', { class: 'soft' }, [timesLeft(times), skip > 0 && counted(t.after, skip)].filter(Boolean).join(', ')),
      h('br', {}),
      effectText(fault),
    ),
    button(
      t.disarm,
      async () => {
        await actQuietly('faultClear', { id })
        await refreshAll()
        return t.disarmed
      },
      { kind: 'small', key: `disarm ${id}` },
    ),
    command(commandLine('bnpl sandbox fault clear', [id])),
  )
}

/** @param {number | null} times */
const timesLeft = (times) => (times === null ? t.left.always : counted(t.left, times))
