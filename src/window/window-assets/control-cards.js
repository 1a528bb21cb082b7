import { askingButton, card, form } from './card.js'
import { commandLine, optionWords } from './command-line.js'
import { h } from './dom.js'
import { milliseconds } from './durations.js'
import { button, command, FieldError, field, paidNow, refusedAt, run, select } from './pieces.js'
import { act, actQuietly, leave } from './server.js'
import { fill, t } from './texts.js'
import { clockTime } from './time.js'

export function payCard() {
  const trx = h('input', { name: 'pay', required: true, size: 14, autocomplete: 'off', placeholder: 'order-1001' })
  const rut = h('input', { name: 'payRut', size: 12, autocomplete: 'off', placeholder: '11222333-9' })
  const line = h('div', {})
  const changed = () => {
    const typed = rut.value === '' ? '' : optionWords('--rut', rut.value)
    const pay = (/** @type {string} */ option) =>
      command(commandLine('bnpl sandbox pay', [trx.value === '' ? 'TRX' : trx.value], `${typed} ${option}`.trim()))
    line.replaceChildren(pay(''), pay('--reject'))
  }
  const fields = {
    ERR_TRANSACTION_NOT_FOUND: trx,
    ERR_TRANSACTION_ALREADY_PAID: trx,
    ERR_CUSTOMER_NOT_APPROVED: trx,
    ERR_ID_NUMBER_NEEDED: rut,
    ERR_ID_NUMBER_MISMATCH: rut,
    ERR_INVALID_ID_NUMBER: rut,
  }
  const pay = (/** @type {boolean} */ reject) =>
    refusedAt(fields, async () => {
      const typed = rut.value === '' ? {} : { rut: rut.value }
      return paidNow((await act('pay', { externalTrxId: trx.value, reject, ...typed })).outcome)
    })
  const reject = h(
    'button',
    { type: 'button', click: () => trx.reportValidity() && void run(reject, pay(true)) },
    t.reject,
  )
  changed()
  return card(
    t.payAny,
    t.payAnyHow,
    form(
      [field(t.transaction, trx), field(t.rut, rut), h('button', { type: 'submit', class: 'primary' }, t.pay), reject],
      pay(false),
      changed,
    ),
    line,
  )
}

export function clockCard() {
  const by = h('input', { name: 'by', required: true, size: 6, value: '11m', autocomplete: 'off' })
  const line = h('div', {})
  const changed = () => line.replaceChildren(command(commandLine('bnpl sandbox clock advance', [by.value])))
  const move = async () => {
    const advanceMs = milliseconds(by.value.trim())
    if (advanceMs === undefined) throw new FieldError(by, t.notDuration)
    return fill(t.moved, { now: clockTime((await act('clock', { advanceMs })).now) })
  }
  const quick = ['1m', '11m', '31m', '1d'].map((span) =>
    h(
      'button',
      {
        type: 'button',
        class: 'small',
        click: () => {
          by.value = span
          changed()
        },
      },
      span,
    ),
  )
  changed()
  return card(
    t.moveClock,
    t.moveClockHow,
    form(
      [
        field(t.moveBy, by),
        h('button', { type: 'submit', class: 'primary' }, t.move),
        h('span', { class: 'buttons' }, quick),
      ],
      move,
      changed,
    ),
    line,
  )
}

export function leadCard() {
  const rut = h('input', { name: 'rut', size: 12, autocomplete: 'off', placeholder: '11222333-9' })
  const outcome = select(
    [
      ['', t.decidesItself],
      ['approved', t.outcomes.approved],
      ['rejected', t.outcomes.rejected],
    ],
    { name: 'outcome' },
  )
  const now = h('input', { type: 'checkbox', name: 'now' })
  const line = h('div', {})
  const changed = () => {
    const words = ['bnpl sandbox lead']
    if (rut.value !== '') words.push(optionWords('--rut', rut.value))
    if (outcome.value !== '') words.push(`--outcome ${outcome.value}`)
    if (now.checked) words.push('--now')
    line.replaceChildren(command(words.join(' ')))
  }
  const make = async () => {
    const input = {
      ...(rut.value === '' ? {} : { rut: rut.value }),
      ...(outcome.value === '' ? {} : { outcome: outcome.value }),
      now: now.checked,
    }
    return fill(t.leadMade, { name: (await act('lead', input)).partner })
  }
  changed()
  return card(
    t.newLead,
    '',
    form(
      [
        field(t.rut, rut),
        field(t.outcome, outcome),
        h('label', { class: 'check' }, now, t.atOnce),
        h('button', { type: 'submit', class: 'primary' }, t.newLead),
      ],
      refusedAt({ ERR_INVALID_ID_NUMBER: rut }, make),
      changed,
    ),
    line,
  )
}

export function leaveCard() {
  const leaveHere = async () => {
    await leave()
    return undefined
  }
  const leaveEverywhere = async () => {
    await actQuietly('windowLink', { alone: true })
    return leaveHere()
  }
  return card(
    t.access,
    t.accessHow,
    h('div', { class: 'buttons' }, button(t.leave, leaveHere), button(t.leaveEverywhere, leaveEverywhere)),
    command('bnpl sandbox open --alone'),
  )
}

export function resetCard() {
  const reset = async () => {
    await actQuietly('reset')
    return t.resetDone
  }
  return card(
    t.reset,
    t.resetHow,
    askingButton(t.reset, t.resetSure, reset, { kind: 'danger' }),
    command('bnpl sandbox reset'),
  )
}
