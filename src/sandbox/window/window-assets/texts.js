// Every word of the page in its language. The server chooses the language and writes the words into the page.
/** @import { WindowWords } from '../../languages/languages.ts' */

/** @returns {WindowWords} */
function pageWords() {
  const element = document.querySelector('#page-words')
  return JSON.parse((element instanceof HTMLTemplateElement && element.content.textContent) || '')
}

export const { language, locale, texts: t, kinds, refusals, others } = pageWords()

/** Replaces the `{names}` in a text with values. @param {string} text @param {Record<string, string | number>} values */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole))

/** Chooses the form of a text for a count. @param {{ one: string, other: string }} forms @param {number} count */
export const counted = (forms, count) => fill(count === 1 ? forms.one : forms.other, { count })
