/** @import { FaultEffect } from '../../sandbox/store/fault-effect.ts' */
import { kinds, t } from './texts.js'

/** Returns in words what a fault does to a request. @param {FaultEffect} effect */
export function effectText({ kind, status, delayMs, cut, before, truncate }) {
  return [
    kind !== null && `${kind}: ${kinds[kind]}`,
    delayMs > 0 && `${t.effects.delay} ${delayMs} ms`,
    status !== null && `${t.effects.status} ${status}`,
    kind === null && cut && (before ? t.effects.before : t.effects.cut),
    kind === null && truncate !== null && `${t.effects.truncate} ${truncate}`,
  ]
    .filter(Boolean)
    .join(', ')
}
