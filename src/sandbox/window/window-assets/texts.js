// Every word of the page. The language is the document's.
import { en } from './texts-en.js'
import { es } from './texts-es.js'

/** @typedef {typeof en} Texts */

export const language = document.documentElement.lang === 'es' ? 'es' : 'en'

/** @type {Texts} */
export const t = language === 'es' ? es : en
