import { askingButton } from './card.js'
import { commandLine } from './command-line.js'
import { h, named } from './dom.js'
import { command } from './pieces.js'
import { actQuietly } from './server.js'
import { fill, t } from './texts.js'

/** Before a snapshot is loaded, the present state is saved under this name. */
const BEFORE_LOAD = 'before-load'
/** If the snapshot to load is `before-load`, the present state is saved under this name instead. */
const AFTER_LOAD = 'after-load'

/**
 * Returns a button that goes back to a snapshot.
 * @param {string} name of the snapshot @param {string} label @param {string} question contains the placeholder `{kept}`
 * @param {string} done the message afterwards @param {string} [kind] a class
 */
export function goBackButton(name, label, question, done, kind = '') {
  const kept = name === BEFORE_LOAD ? AFTER_LOAD : BEFORE_LOAD
  const load = async () => {
    await actQuietly('snapshotSave', { name: kept })
    await actQuietly('snapshotLoad', { name })
    return done
  }
  return askingButton(label, fill(question, { kept }), load, { kind, key: `load ${name}` })
}

/** @param {string} name */
export const snapshotRow = (name) =>
  h(
    'li',
    {},
    h('strong', {}, named(name)),
    goBackButton(name, t.load, fill(t.loadSure, { name }), fill(t.loaded, { name }), 'small'),
    command(commandLine('bnpl sandbox snapshot load', [name])),
  )
