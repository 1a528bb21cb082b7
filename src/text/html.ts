/** HTML that is always escaped: text becomes markup only through `html`, which escapes every value. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

type HtmlValue = Html | string | number | undefined | false | readonly HtmlValue[]

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes a text for element content and quoted attribute values. The result is not safe anywhere else in a template. */
function escapeHtml(text: string): string {
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
