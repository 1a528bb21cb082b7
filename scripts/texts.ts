import { es } from '../src/language/es/es.ts'
import { eachUnit } from '../src/language/patterns.ts'
import { readSources } from '../test/kit/source-graph.ts'

/**
 * Finds the texts for people in the code. `node scripts/texts.ts` prints how many are not in the Spanish catalogue, by the file of the
 * catalogue in which they belong. `node scripts/texts.ts FILE` prints those of a file, ready to be translated; a path such as
 * `src/commands/history` selects by the place in the code.
 */

interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

/** A text with its place in the code. Each value in it is a placeholder such as `{amount}`. */
export interface FoundText {
  text: string
  place: string
  room: string
  /** The names of the values that are texts themselves, such as `3 installments`. */
  counted: readonly string[]
}

/**
 * Files whose texts are not for the people at the terminal: pages, which have their own texts, what the service answers, and the tables of
 * the sandbox.
 */
const NOT_FOR_TERMINAL = new RegExp(
  `^src/(${[
    'index|webhooks|testing|window|library',
    'language',
    'sandbox/(languages|page|records/records|service/(?!control|deliveries/private)|store/(?!snapshot|sqlite))',
    'contract/(languages|openapi|calls|shapes|banca-me)',
    'sandbox/records/data',
    'receiver/(health/health-server|file/schema)',
    'recording/export-formats|bulk/engine|receiver/health/metrics|terminal/junit|commands/completion/scripts',
  ].join('|')})`,
)

/** Functions whose arguments are not texts for people. Errors of JavaScript are faults of bnpl, whose messages are not shown. */
const NOT_SAID =
  /^(Error|TypeError|RangeError|exec|prepare|query|startsWith|endsWith|includes|indexOf|split|join|replaceAll|replace|test|match|hasOwn|RegExp|header|setHeader|pick|get|set|describe)$/

/** Returns every text for people, with its first place. */
export function humanTexts(): FoundText[] {
  const found = new Map<string, FoundText>()
  for (const { path, text: source, program } of readSources('src/**/*.ts')) {
    if (NOT_FOR_TERMINAL.test(path)) continue
    const room = roomOf(path)
    visit(program as Node, [], (given, node) => {
      eachUnit(given, (text) => {
        const shape = shapeOf(text)
        if (!/[a-z]{2}/i.test(shape) || isCodeUnit(shape)) return text
        if (found.has(shape)) return text
        const line = source.slice(0, node.start).split('\n').length
        found.set(shape, { text, place: `${path}:${line}`, room, counted: countedIn(given, node) })
        return text
      })
    })
  }
  return [...found.values()]
}

function countedIn(given: string, { type, expressions }: Node): string[] {
  if (type !== 'TemplateLiteral') return []
  const names = [...given.matchAll(/\{([a-z]\w*)\}/gi)].map(([, name]) => name ?? '')
  return names.filter((_, at) => isOurText((expressions as Node[])[at]))
}

/** Whether a value is one of our texts: a count, a list that is joined with a word, or one of several texts. */
function isOurText(value: Node | undefined): boolean {
  if (value === undefined) return false
  const { type, callee, consequent, alternate, right, arguments: given } = value
  if (type === 'ConditionalExpression') return [consequent, alternate].some((each) => isOurText(each as Node))
  if (type === 'LogicalExpression') return isOurText(right as Node)
  if (type === 'CallExpression')
    return (
      nameOf(callee as Node) === 'countOf' ||
      (nameOf(callee as Node) === 'join' && / (and|or) /.test(textOf((given as Node[])[0] ?? value) ?? ''))
    )
  const words = textOf(value)?.replace(/\{[a-z]\w*\}/gi, '') ?? ''
  return (
    words !== 'stdin' && /(^|[ (])[a-z]{3,}( |[.,;:)]|$)/.test(words) && !/^[ -]*(--?[a-z]|bnpl |https?:)/.test(words)
  )
}

/** Returns a text without the names of its placeholders, so that a variable may get another name. */
export const shapeOf = (text: string): string => text.replace(/\{[a-z]\w*\}/gi, '{}')

/** Returns the file of the catalogue for the texts of a source file: that of its room, or of its group of commands. */
function roomOf(path: string): string {
  const [, room = '', part = ''] = path.replace(/\.ts$/, '').split('/')
  const own = room === 'commands' && path.split('/').length > 3 ? part : room
  return Object.entries(TOGETHER).find(([, rooms]) => rooms.includes(own))?.[0] ?? own
}

/** Small rooms whose texts are in one file. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  terminal: ['cli', 'main', 'wiring', 'completion', 'errors', 'text', 'context'],
  disk: ['http-server', 'migration', 'history', 'postgres', 'program'],
  client: ['recording'],
}

function visit(node: unknown, above: readonly Node[], take: (text: string, node: Node) => void): void {
  if (Array.isArray(node)) for (const each of node) visit(each, above, take)
  if (typeof node !== 'object' || node === null || !('type' in node)) return
  const here = node as Node
  if (isSkipped(here)) {
    // The arguments are not for people, but the text on which the function is called may be.
    if (here.type === 'CallExpression' && (here.callee as Node).type === 'MemberExpression')
      visit((here.callee as Node).object, [here, ...above], take)
    return
  }
  const text = textOf(here)
  if (text !== undefined && isForPeople(text, here, above)) take(text, here)
  for (const [field, child] of Object.entries(here)) {
    // The name of a field is for people only where it is a heading, as in the list of commands.
    if (field === 'key' && here.computed !== true && !/^[A-Z]([a-z ]* [a-z ]+|.+:)$/.test(textOf(child as Node) ?? ''))
      continue
    if (typeof child === 'object') visit(child, [here, ...above], take)
  }
}

/** Whether a part of the code contains no text for people: imports, types, comparisons, and arguments of functions that show nothing. */
function isSkipped({ type, operator, callee, id, left }: Node): boolean {
  // Scripts, units of systemd, styles, and the names of errors.
  if (type === 'VariableDeclarator' && /^(SCRIPTS?|HEAD|TAIL|STYLE|UNIT)$/.test(nameOf(id as Node))) return true
  if (type === 'AssignmentExpression' && nameOf(left as Node) === 'name') return true
  if (/^(Import|ExportAll|TS(?!As|Satisfies|NonNull))/.test(type)) return true
  if (type === 'BinaryExpression') return operator !== '+'
  if (type !== 'NewExpression' && type !== 'CallExpression') return false
  return NOT_SAID.test(nameOf(callee as Node))
}

const nameOf = (node: Node): string =>
  node.type === 'MemberExpression' ? nameOf(node.property as Node) : String(node.name ?? '')

/** Returns a literal or a template as a text with named placeholders; undefined for anything else. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type !== 'TemplateLiteral') return undefined
  const names: string[] = []
  const expressions = node.expressions as Node[]
  return (node.quasis as { value: { cooked: string } }[])
    .map(
      ({ value: { cooked } }, i) =>
        `${cooked}${i < expressions.length ? `{${nameFor(expressions[i] as Node, names)}}` : ''}`,
    )
    .join('')
}

function nameFor(node: Node, taken: string[]): string {
  const said = (inner: Node): string =>
    inner.type === 'CallExpression'
      ? said(((inner.arguments as Node[])[0] ?? inner.callee) as Node)
      : /^[a-z]\w*$/i.test(nameOf(inner))
        ? nameOf(inner)
        : 'part'
  const base = said(node)
  let name = base
  for (let i = 2; taken.includes(name); i++) name = `${base}${i}`
  taken.push(name)
  return name
}

const LABELS = [
  'title',
  'name',
  'label',
  'description',
  'summary',
  'group',
  'message',
  'hint',
  'meaning',
  'about',
  'what',
]

function isForPeople(text: string, node: Node, above: readonly Node[]): boolean {
  const words = text.replace(/\{[a-z]\w*\}/gi, ' ').trim()
  const [parent] = above
  // Such a pattern would match too many other texts.
  if (text.includes('{') && words.replace(/[^a-z]/gi, '').length < (/^[A-Z]/.test(text) ? 3 : 4)) return false
  if (!/[a-z]{2}/i.test(words) || words === 'dry run' || isCode(words, above)) return false
  if (/[a-z]+[,:;.]? +[a-z(“`{]/i.test(text.trim()) || (/ /.test(text.trim()) && node.type === 'TemplateLiteral'))
    return true
  // A single word is for people if it begins like a title, if it is a label, or if it is a part of a sentence.
  if (/^[A-Z][a-z-]+:?$/.test(words) && /^[A-Z]/.test(text.trim()))
    return !/^(Content|Accept|Bearer|Basic|Location|Date|Host|Authorization|Infinity|Error$)/.test(words)
  if (parent?.type === 'Property' && /^[a-z]+$/.test(words))
    return LABELS.includes(nameOf(parent.key as Node)) && LABELS.indexOf(nameOf(parent.key as Node)) !== 1
  const conditional = above.findIndex(({ type }) => type !== 'ConditionalExpression')
  return conditional > 0 && above[conditional]?.type === 'TemplateLiteral' && /^[a-z ’']+$/.test(words)
}

/** Whether a line is not for people: a line of code, of HTTP or SQL, or a list of identifiers. */
function isCodeUnit(shape: string): boolean {
  if (
    /^(\$|Basic|Bearer \{|Bearer key-|HTTP\/|\[object|GET, |JWT, \{|SQLite format|HTTPS_PROXY \{|"[A-Za-z]+: \$|TOKEN=|kill |mv |rm |export )/.test(
      shape,
    )
  )
    return true
  if (
    /^(bnpl|entityId|input|informe download) \{\}$|^file \{\}:|^(input|event|variant|informe) (\{|download)|^-p \w+$|^--\{\}-file <file>$|^Connection(: close)?$/.test(
      shape,
    )
  )
    return true
  if (/^[e(f]*\.\w+|\b(e|f)\.[a-z]+|old\.row|\{\}::|^(ANY|update|vacuum) |^"?\{?"\w+" ?:.{0,60}$|^vault /.test(shape))
    return true
  if (/\b[a-z]+[A-Z]\w* [a-z]+[A-Z]\w* [a-z]+[A-Z]/.test(shape) || /^"[^"]+: \$[A-Z_]+"$/.test(shape)) return true
  if (
    /^(None|bad request|method not allowed|misdirected request|Calle .*|Morosidad .*|Carga .*|Puntaje .*|Content-(Type|Length): .*|ba be .*|ACTIVE APPROVED .*|Usa: .*|Chilena|"Authorization: .*)$/.test(
      shape,
    )
  )
    return true
  const words = shape.split(' ')
  return (
    (words.length > 1 && words.every((word) => /^[a-z]+[A-Z]\w*$|^[A-Z][A-Z_]+$/.test(word) || NAMES.includes(word))) ||
    NAMES.includes(shape)
  )
}

/** Names of columns, which are the same in every language. */
const NAMES =
  'amount monto trx transaction id order orden pedido total importe valor run dv digito verificador estado status situacion cuotas installments plazo plazos meses month period periodo term terms tasa rate preAprobacion dgv'.split(
    ' ',
  )

function isCode(words: string, above: readonly Node[]): boolean {
  if (
    /^(select|insert into|update \w+ set|delete from|or instr|and \w+ [=<>]|where \w+ (=|<|>|in |is |like )|create (table|index|unique|trigger|temp)|alter table|(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|PRAGMA|WITH|BEGIN|COMMIT|LISTEN|SET|LOCK|ROLLBACK|SAVEPOINT|ATTACH|VACUUM|AND|WHERE|ORDER|FROM)\b|application\/|text\/|https?:|urn:|<|--\w)/.test(
      words,
    ) &&
    !/^(--\w[\w-]*[ “”:]+[a-z]|SET [a-z])/.test(words)
  )
    return true
  if (
    /^(bnpl|curl|npx|node|docker|openssl|\$|psql|#|mkdir|mv|kill|taskkill|source|echo|pass [a-z]+\/\w+|error:) /.test(
      words,
    ) &&
    !/[.;]$|, |^bnpl (is|was|has|can|does|cannot|needs|reads|runs|continues|sends|stops|itself|did)\b/.test(words)
  )
    return true
  return above[0]?.type === 'TaggedTemplateExpression'
}

if (import.meta.main) {
  const known = new Set(Object.keys(es).map(shapeOf))
  const missing = humanTexts().filter(({ text }) => !known.has(shapeOf(text)))
  const [room] = process.argv.slice(2)
  if (room === undefined) {
    const rooms = Object.entries(Object.groupBy(missing, (each) => each.room)).sort(([a], [b]) => a.localeCompare(b))
    for (const [name, texts = []] of rooms) console.log(`${String(texts.length).padStart(5)}  ${name}`)
    console.log(`${String(missing.length).padStart(5)}  in all`)
  } else
    for (const { text, place } of missing.filter((each) => each.room === room || each.place.startsWith(room)))
      console.log(`  // ${place}\n  ${JSON.stringify(text)}: '',`)
}
