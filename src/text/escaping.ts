/** HTML that is always escaped: text becomes markup only through `html`, which escapes every value. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

type HtmlValue = Html | string | number | undefined | false | readonly HtmlValue[]

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/**
 * Escapes a text for the content of elements and for quoted attribute values, of HTML and of XML. The result is not safe anywhere else in a
 * template.
 */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** Returns the markup of a template. The template's own text is markup. Its values are escaped, unless they are `Html` themselves. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(parts.map((part, index) => (index === 0 ? part : `${render(values[index - 1])}${part}`)).join(''))
}

function render(value: HtmlValue): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.markup
  if (typeof value === 'object') return value.map(render).join('')
  return escapeHtml(String(value))
}

/**
 * Matches a text that a spreadsheet would run as a formula, also behind blanks and behind the guard `'`. Programs that convert full-width
 * characters read the last four signs as `= + - @`.
 */
const FORMULA = /^'*\s*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^'*[\t\r]/

/**
 * Returns a text that a spreadsheet does not run: a formula gets a leading `'`, the guard. A text that begins with `'` and would be a
 * formula without it gets one more, so that `unguarded` returns every text as it was.
 */
export const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** Returns the text to which `guarded` added a `'`. Every other text is returned unchanged. */
export const unguarded = (text: string): string =>
  text.charCodeAt(0) === 0x27 && FORMULA.test(text) ? text.slice(1) : text
