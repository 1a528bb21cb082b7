/** @typedef {Record<string, string | boolean>} Filter */

/** @param {string} list */
const nameOf = (list) => `bnpl-window-filter-${list}`

/** Stores the filter of a list for this tab. @param {string} list @param {Filter} filter */
export function keepFilter(list, filter) {
  try {
    sessionStorage.setItem(nameOf(list), JSON.stringify(filter))
  } catch {
    // Storage is switched off, so the filter is lost at a reload.
  }
}

/** Returns the stored filter of a list. @param {string} list @returns {Filter} */
export function keptFilter(list) {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(list)) ?? '{}')
  } catch {
    return {}
  }
}

const LANGUAGE = 'bnpl-window-language'

/** Stores the language that the user chose, for this browser. @param {string} chosen */
export function keepLanguage(chosen) {
  try {
    localStorage.setItem(LANGUAGE, chosen)
  } catch {
    // Storage is switched off, so only the address has the language.
  }
}

/** Returns the language that the user chose before; null if none. */
export function keptLanguage() {
  try {
    return localStorage.getItem(LANGUAGE)
  } catch {
    return null
  }
}
