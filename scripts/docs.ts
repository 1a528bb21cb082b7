/**
 * Writes the tables of the README and the docs from the code that they describe: `npm run docs`. A test fails when a table differs from the
 * code.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COLUMN_NAMES } from '../src/bulk/columns.ts'
import { COMMANDS } from '../src/commands/commands.ts'
import { handledGaps, openQuestions } from '../src/commands/contract/contract.ts'
import { VARIABLES } from '../src/commands/topics.ts'
import { BANCA_ME } from '../src/contract/banca-me.ts'
import { CALLS } from '../src/contract/calls/calls.ts'
import { type Answer, type FieldName, SPECIFICATION } from '../src/contract/description.ts'
import { exits } from '../src/contract/failures/kinds.ts'
import { KEPT_FILES, type KeptFile, type KeptFileId } from '../src/disk/kept-files.ts'
import { FAULT_KIND_NAMES, faultKind } from '../src/domain/sandbox-faults.ts'
import { es } from '../src/language/es/es.ts'
import { PROFILE_SETTINGS } from '../src/profiles/profile.ts'
import { LABELS, METRICS } from '../src/receiver/health/metrics.ts'
import { TEST_CUSTOMERS } from '../src/sandbox/records/customers.ts'
import { RULES } from '../src/torture/causes.ts'
import { PARTS, type Part, partOf, TORTURES } from '../src/torture/fault-table.ts'
import { type Cell, FILE_OUTCOMES, MISHAPS, type Mishap, type Outcome } from '../test/kit/file-outcomes.ts'
import { architecturePicture } from './architecture.ts'

const ROOT = join(import.meta.dirname, '..')

const AGAIN = { safe: 'yes', never: 'never', reconcile: 'look first' } as const
const cell = (text: string) => text.replaceAll('|', '\\|')
const row = (...cells: string[]) => `| ${cells.map(cell).join(' | ')} |`
const list = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ')
const table = (head: string[], rows: string[]) => [row(...head), `|${'---|'.repeat(head.length)}`, ...rows].join('\n')

const FOLDERS: Record<KeptFile['folder'], string> = {
  config: 'settings',
  state: 'state',
  cache: 'cache',
  temporary: 'temporary files',
  yours: 'named by you',
}

/** What the table of files says for an outcome. */
const OUTCOME_WORDS: Record<Outcome, string> = {
  'carried on': 'works as usual',
  'made again': 'created again',
  'closed, and reported': 'access of others removed, and reported',
  'reported, and carried on': 'reported, and works as usual',
  'refused (2)': 'refused (exit 2)',
  'refused (3)': 'refused (exit 3)',
  'refused (5)': 'refused (exit 5)',
  'not found (6)': 'ends: file not found (exit 6)',
  'not written (13)': 'ends: file not written (exit 13)',
  'stopped (13)': 'stops midway (exit 13)',
  'finished (13)': 'finishes its work (exit 13)',
  '503, not ready, and reported': 'answers 503, and reported',
}

/**
 * Returns what a command does after a mishap with a file, for example after it was removed. If the outcome is different when the mishap
 * happens while a command has the file open, returns both outcomes.
 */
function outcome({ before, during }: { before: Cell; during: Cell }): string {
  const [first, then] = [before, during].map((cell) =>
    typeof cell !== 'string' && 'none' in cell ? '–' : OUTCOME_WORDS[typeof cell === 'string' ? cell : cell.outcome],
  )
  return then === '–' || then === first ? String(first) : `${first}; while open: ${then}`
}

/** The mishaps in the table of files. The others have the same outcome for almost every file, and docs/reliability.md names it. */
const SHOWN_MISHAPS = ['gone', 'damaged'] satisfies Mishap[]

function files(): string {
  const rows = (Object.entries(KEPT_FILES) as [KeptFileId, KeptFile][]).map(([id, { folder, name, what, secret }]) =>
    row(
      `\`${name}\``,
      FOLDERS[folder],
      secret ? `${what} (secret)` : what,
      ...SHOWN_MISHAPS.map((mishap) => outcome(FILE_OUTCOMES[id][mishap])),
    ),
  )
  return table(['file', 'folder', 'what it is', ...SHOWN_MISHAPS.map((mishap) => MISHAPS[mishap])], rows)
}

const meanings = (what: string, words: Readonly<Record<string, string>>) =>
  table(
    [what, 'meaning'],
    Object.entries(words).map(([name, meaning]) => row(`\`${name}\``, meaning)),
  )

/** The other names of the column `loanAmount`: the column `amount`, with its own other names. */
const LIKE_AMOUNT = '`amount`, and all its other names'

const SECTIONS: Record<string, () => string> = {
  files,
  commands: () =>
    table(
      ['command', 'does'],
      COMMANDS.filter(({ hidden }) => !hidden).map(({ name, summary }) => row(`\`bnpl ${name}\``, summary)),
    ),
  'exit codes': () =>
    table(
      ['exit', 'kind', 'when'],
      exits().map(({ exit, kind, meaning }) => row(String(exit), kind, meaning)),
    ),
  environment: () =>
    Object.entries(VARIABLES)
      .map(([about, variables]) => `### ${about}\n\n${meanings('variable', variables)}`)
      .join('\n\n'),
  settings: () => meanings('setting', PROFILE_SETTINGS),
  metrics: () =>
    `${table(
      ['metric', 'what it measures'],
      Object.entries(METRICS).map(([name, help]) => row(`\`${name}\``, help)),
    )}\n\nThe label \`reason\` of \`bnpl_receiver_refused_total\` is one of: ${list(LABELS.reason)}. The label \`result\` of \`bnpl_receiver_forwards_total\` is one of: ${list(LABELS.result)}.`,
  'test customers': () =>
    table(
      ['RUT', 'what happens'],
      TEST_CUSTOMERS.map(({ rut, does }) => row(rut, does)),
    ),
  'kinds of faults': () =>
    table(
      ['applies to', 'kinds'],
      Object.entries(Object.groupBy(FAULT_KIND_NAMES, (name) => faultKind(name).at)).map(([place, names]) =>
        row(place, list(names)),
      ),
    ),
  'torture faults': () => PARTS.map(tortureFaults).join('\n\n'),
  invariants: () =>
    table(
      ['invariant', 'what it means if it is broken', 'what the shop must do'],
      Object.entries(RULES).map(([name, { cause, must }]) => row(`\`${name}\``, cause, must)),
    ),
  'column names': () =>
    table(
      ['column', 'other names', 'names that count if the file has none of the others'],
      Object.entries<{ also?: readonly string[]; orElse?: readonly string[] }>(COLUMN_NAMES).map(
        ([name, { also = [], orElse = [] }]) =>
          row(`\`${name}\``, name === 'loanAmount' ? LIKE_AMOUNT : list(also), list(orElse)),
      ),
    ),
  'published answers': () =>
    table(
      ['field', 'answer', 'certainty', 'page'],
      Object.entries(BANCA_ME).map(([name, { text, source }]) =>
        row(`\`${name}\``, `\`${text}\``, ...publishedBy(source)),
      ),
    ),
  'still unknown': () =>
    table(
      ['what is not published', 'field', 'what holds until it is known'],
      STILL_UNKNOWN.map(({ what, field }) =>
        row(
          what,
          field === null ? '' : `\`${field}\``,
          field === null ? '' : `\`${(BANCA_ME[field] ?? SPECIFICATION.answers[field]).text}\``,
        ),
      ),
    ),
  endpoints: () =>
    table(
      ['call', 'does', 'safe to repeat', 'section of the specification'],
      Object.values(CALLS).map((each) =>
        row(`\`${each.method} ${each.path}\``, each.summary, AGAIN[each.repeat], each.section.replace(/^.* : /, '')),
      ),
    ),
  gaps: () =>
    table(
      ['#', 'not shown', 'the sandbox'],
      handledGaps().map(({ number, notShown, sandbox }) => row(String(number), notShown, sandbox)),
    ),
  fields: () =>
    table(
      ['field', 'gap', 'question', 'answer'],
      openQuestions(SPECIFICATION).flatMap(({ gap, field, question, answer }) =>
        field === null ? [] : [row(`\`${field}\``, String(gap ?? ''), question, `\`${answer}\``)],
      ),
    ),
}

/** How the text of each fault during `--settle` begins. The page says it once. */
const AT_SETTLE = /^the customer pays and does not return, .* during the first run of --settle /

/**
 * Returns the faults of one part with what happens, in the groups of faults after which a right shop does the same. Only the first of
 * a group says what that is.
 */
function tortureFaults(part: Part): string {
  const groups = Object.values(
    Object.groupBy(
      TORTURES.filter((fault) => partOf(fault) === part),
      ({ right }) => right,
    ),
  )
  return `### \`--only ${part}\`\n\n${table(
    ['fault', 'what happens', 'a right shop'],
    groups.flatMap((faults = []) =>
      faults.map(({ id, does, right }, i) =>
        row(`\`${id}\``, does.replace(AT_SETTLE, 'during `--settle`, '), i === 0 ? right : ''),
      ),
    ),
  )}`
}

/** What the pages of the service leave open, with the field that says what holds until it is known. */
const STILL_UNKNOWN: readonly { what: string; field: FieldName | null }[] = [
  { what: 'encoding of the signature (hex is likely)', field: 'hmacEncoding' },
  {
    what: 'how old the timestamp of a signature may be, and whether it is in seconds or ms',
    field: 'signatureTolerance',
  },
  { what: 'name of the header with the token', field: 'tokenHeader' },
  { what: 'form of the dates in a verification', field: 'loanDates' },
  { what: 'all states of a loan and of an installment', field: 'loanStates' },
  { what: 'state of a loan after it was cancelled', field: 'cancelledState' },
  { what: 'how a cancellation is refused, and the body of its request', field: null },
  { what: 'where the body of an error contains its code', field: 'errorForm' },
  { what: 'whether the answer with a widget token contains `accepted`', field: 'accepted' },
  { what: 'the answer to a verification while there is a lead and no loan', field: 'notYet' },
  { what: 'names of the headers about the rate limit, and `Retry-After`', field: 'retryAfter' },
  { what: 'when failed deliveries are repeated', field: 'deliveryRetries' },
  { what: 'all reasons of `onReject`, and what the widget does without `buttonMode`', field: null },
  { what: 'address of the payment page', field: 'paymentUrl' },
  { what: 'base address of the beta environment', field: null },
  { what: 'path of the list of entities', field: 'paths.entities' },
  { what: 'path of a change of an entity', field: 'paths.entity' },
]

function publishedBy(source: Answer['source']): [certainty: string, page: string] {
  if (typeof source === 'string' || !('page' in source)) throw new Error('an answer is not from a page')
  return [source.certainty, source.page.replace('docs.banca.me: ', '')]
}

/** The words of generated tables in Spanish that the program does not print. */
const WORDS: Readonly<Record<string, string>> = {
  'what happens': 'qué ocurre',
  'applies to': 'se aplica a',
  kinds: 'tipos',
  call: 'llamada',
  delivery: 'entrega',
  page: 'página',
  column: 'columna',
  [LIKE_AMOUNT]: '`amount`, y todos sus otros nombres',
  'other names': 'otros nombres',
  'names that count if the file has none of the others':
    'nombres que cuentan si el archivo no tiene ninguno de los otros',
}

const inSpanish = (table: string): string =>
  table.replace(/(?<=\| )[^|\n]+(?= \|)/g, (cell) => WORDS[cell] ?? es[cell] ?? cell)

/** @param inLanguage returns a table in the language of the page */
function generate(text: string, inLanguage: (table: string) => string): string {
  return text.replace(
    /(<!-- generated: ([\w ]+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, open: string, name: string, close: string) => {
      const make = SECTIONS[name]
      if (make === undefined) throw new Error(`no section is called ${name}`)
      return `${open}${inLanguage(make())}\n${close}`
    },
  )
}

const PICTURE = 'docs/pictures/architecture.svg'

const PAGES = [
  'README.md',
  'docs/sandbox.md',
  'docs/banca-me.md',
  'docs/contract.md',
  'docs/files.md',
  'docs/is-my-integration-right.md',
  'docs/production.md',
  'docs/reference.md',
  'docs/reliability.md',
  'docs/es/files.md',
  'docs/es/sandbox.md',
]

/** Returns every file with generated content: its present text, and the text that it should have. */
export function generatedDocs(): { path: string; is: string; should: string }[] {
  return [...PAGES, PICTURE].map((path) => {
    const is = readFileSync(join(ROOT, path), 'utf8')
    return {
      path,
      is,
      should:
        path === PICTURE
          ? architecturePicture()
          : generate(is, path.startsWith('docs/es/') ? inSpanish : (table) => table),
    }
  })
}

if (import.meta.main) {
  for (const { path, should } of generatedDocs()) writeFileSync(join(ROOT, path), should)
}
