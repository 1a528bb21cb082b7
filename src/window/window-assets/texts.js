// Every word of the page in its language. The server chooses the language and writes the words into the page.
/** @import { WindowWords } from '../../sandbox/languages/languages.ts' */

/** @returns {WindowWords} */
function pageWords() {
  const element = document.querySelector('#page-words')
  return JSON.parse((element instanceof HTMLTemplateElement && element.content.textContent) || '')
}

export const { language, locale, texts: t, kinds, refusals, others } = pageWords()

/** Returns a text in which values replace the `{names}`. @param {string} text @param {Record<string, string | number>} values */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole))

/** Returns the form of a text that fits a count. @param {{ one: string, other: string }} forms @param {number} count */
export const counted = (forms, count) => fill(count === 1 ? forms.one : forms.other, { count })
