import { kindOfField } from './field-kinds.ts'

type ValueShown = (value: string, name: string) => string

const ELEMENT = /(<([\w.:-]{1,64})(?:\s[^<>]{0,1000})?>)([^<>]+)/g
/** An element such as `<input name="widgetToken" value="…">`. */
const INPUT =
  /(\sname\s{0,9}=\s{0,9}["']?([\w.[\]-]{1,64})["']?[^<>]{0,300}?\s(?:value|content)\s{0,9}=\s{0,9})("[^"<>]*"|'[^'<>]*'|[^\s<>"']+)/gi
/** A line such as `apiKey: …`, or one field of a text such as `rut=…&monto=1`. */
const PAIR = /((?<![\w.:-])["']?([\p{L}\d_][\p{L}\d_.-]{0,63})["']?[ \t]{0,9}[:=][ \t]{0,9})([^\s&;,][^\r\n&;,]*)/gu

/**
 * Returns a text in which the values of named fields are replaced: elements and inputs of XML and HTML, or lines such as `apiKey: …`.
 * @param shown returns what replaces a value. It is called only for a name that `kindOfField` knows, and gets this name as its second
 * argument
 */
export function fieldsOfText(text: string, shown: ValueShown): string {
  const field = (whole: string, before: string, name: string, value: string) =>
    kindOfField(name) === 'unknown' ? whole : `${before}${shown(value, name)}`
  if (/^\s*</.test(text)) return text.replace(ELEMENT, field).replace(INPUT, field)
  return text.replace(PAIR, field)
}
