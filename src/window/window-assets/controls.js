// The controls of the sandbox. Each card also shows a command for the terminal.
/** @import { AccountView } from '../views/rows.ts' */
import { card, form } from './card.js'
import { commandLine } from './command-line.js'
import { clockCard, leadCard, leaveCard, payCard, resetCard } from './control-cards.js'
import { h, named, redraw } from './dom.js'
import { faultCard } from './fault-card.js'
import { keepFilter, keptFilter } from './kept.js'
import { command, copyButton, fateText, field, pill } from './pieces.js'
import { actQuietly, show } from './server.js'
import { snapshotRow } from './snapshots.js'
import { fill, t } from './texts.js'

export function createControls() {
  const accounts = h('div', { class: 'accounts' })
  const customers = h('tbody', {})
  const kept = h('ul', { class: 'kept' })
  const faults = faultCard(refresh)
  const name = h('input', {
    name: 'snapshot',
    required: true,
    pattern: '[\\w][\\w.\\-]{0,99}',
    size: 14,
    value: 'before',
    autocomplete: 'off',
  })
  const saveLine = h('div', {})
  const showSave = () => saveLine.replaceChildren(command(commandLine('bnpl sandbox snapshot save', [name.value])))
  const snapshotForm = form(
    [field(t.name, name), h('button', { type: 'submit' }, t.save)],
    async () => {
      await actQuietly('snapshotSave', { name: name.value })
      await refresh()
      return fill(t.saved, { name: name.value })
    },
    showSave,
  )
  showSave()
  const snapshots = card(t.snapshots, t.snapshotsHow, snapshotForm, saveLine, kept)
  const serviceName = h('p', { class: 'soft' })
  const answers = h('ul', { class: 'kept answers' })
  const described = card(t.service, t.serviceHow, serviceName, answers, command('bnpl sandbox status'))
  const withCommands = h('input', { type: 'checkbox', name: 'commands', change: showCommands })
  const element = h(
    'div',
    { class: 'controls', hidden: true },
    h('h1', { class: 'unseen' }, t.controls),
    h('label', { class: 'check' }, withCommands, t.showCommands),
    h('div', { class: 'cards' }, payCard(), faults.element, clockCard(), leadCard(), snapshots),
    card(
      t.customers,
      t.customersHow,
      h(
        'div',
        { class: 'scrolls', tabindex: '0', role: 'group', 'aria-label': t.customers },
        h('table', {}, customers),
      ),
      command('bnpl sandbox customers'),
    ),
    described,
    card(t.accounts, '', accounts, command('bnpl profiles show sandbox')),
    h('div', { class: 'cards' }, leaveCard(), resetCard()),
  )

  isWide.addEventListener('change', () => {
    for (const account of accounts.querySelectorAll('details')) account.open ||= isWide.matches
  })
  withCommands.checked = keptFilter('controls').commands === true
  showCommands()
  function showCommands() {
    element.classList.toggle('with-commands', withCommands.checked)
    keepFilter('controls', { commands: withCommands.checked })
  }

  async function refresh() {
    const shown = await show('controls')
    // Show the cards only together with their content. Otherwise they would move when the content arrives.
    element.hidden = false
    faults.refresh(shown)
    redraw(customers, shown.customers, () =>
      shown.customers.map(({ rut, fate }) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, h('code', {}, rut)),
          h('td', {}, fateText(fate)),
          h('td', {}, copyButton(rut, t.copy)),
        ),
      ),
    )
    redraw(accounts, shown.partners, () => shown.partners.map((account, i) => accountCard(account, i === 0)))
    snapshots.hidden = shown.snapshots === null
    described.hidden = shown.service.answers.length === 0
    serviceName.textContent = shown.service.name
    redraw(answers, shown.service.answers, () =>
      shown.service.answers.map(({ field, answer }) => h('li', {}, h('strong', {}, field), named(answer))),
    )
    redraw(kept, shown.snapshots, () =>
      shown.snapshots?.length ? shown.snapshots.map(snapshotRow) : h('li', { class: 'soft' }, t.noSnapshots),
    )
  }

  return { element, refresh, open: async () => {} }
}

const isWide = window.matchMedia('(width >= 43.75em)')

/** @param {AccountView} account @param {boolean} isFirst */
function accountCard(account, isFirst) {
  const { name, product, active, evaluationModule, profile, apiKey, publicKey, entityId, production } = account
  /** @type {string[]} */
  const traits = [product]
  if (product === 'real-estate') traits.push(evaluationModule ? t.withModule : t.withoutModule)
  const keys = [
    [t.apiKey, apiKey],
    [t.publicKey, publicKey],
    [t.entityId, entityId],
    [t.productionApiKey, production.apiKey],
    [t.productionPublicKey, production.publicKey],
  ]
  return h(
    'details',
    { class: 'account', 'data-key': `account ${profile}`, open: isFirst || isWide.matches },
    h(
      'summary',
      {},
      h('h3', {}, named(name)),
      !active && pill(t.inactive, 'warn'),
      h('span', { class: 'soft' }, traits.join(' · ')),
    ),
    h(
      'dl',
      { class: 'keys' },
      h('div', {}, h('dt', {}, t.profile), h('dd', {}, h('code', {}, profile))),
      keys.map(([label = '', key = '']) =>
        h(
          'div',
          {},
          h('dt', {}, label),
          h(
            'dd',
            {},
            h('code', {}, `${key.slice(0, 6)}…${key.slice(-4)}`),
            copyButton(key, t.copy, `${profile} ${label}`),
          ),
        ),
      ),
    ),
  )
}
