// What an armed fault does to a call, in words.
import { t } from './texts.js'

/** @param {{ status: number | null, delayMs: number, cut: boolean, before: boolean, truncate: number | null }} harm */
export function harmText({ status, delayMs, cut, before, truncate }) {
  return [
    delayMs > 0 && `${t.harms.delay} ${delayMs} ms`,
    status !== null && `${t.harms.status} ${status}`,
    cut && (before ? t.harms.before : t.harms.cut),
    truncate !== null && `${t.harms.truncate} ${truncate}`,
  ]
    .filter(Boolean)
    .join(', ')
}
