/** @import { FaultEffect } from '../../sandbox/store/fault-effect.ts' */
import { kinds, t } from './texts.js'

/** Returns in words what a fault does to a request. @param {FaultEffect} harm */
export function harmText({ kind, status, delayMs, cut, before, truncate }) {
  return [
    kind !== null && `${kind}: ${kinds[kind]}`,
    delayMs > 0 && `${t.harms.delay} ${delayMs} ms`,
    status !== null && `${t.harms.status} ${status}`,
    kind === null && cut && (before ? t.harms.before : t.harms.cut),
    kind === null && truncate !== null && `${t.harms.truncate} ${truncate}`,
  ]
    .filter(Boolean)
    .join(', ')
}
