import { usage } from '../errors.ts'
import { isRutName, maskWords } from '../text/masking.ts'
import { firstOf, shortened, visible } from '../text/visible.ts'
import type { ColumnUse, InputColumn, Values } from './row.ts'

/** The names of a column: `also` always means it. `orElse` means it only if the file has no other column for the same value. */
interface Names {
  also?: readonly string[]
  orElse?: readonly string[]
}

const words = (names: string): readonly string[] => names.trim().split(/\s+/)

const AMOUNTS = words(`
  montoTotal totalAmount amountTotal total importe importeTotal valor valorTotal loanAmount montoSolicitado
  montoFinanciado montoAFinanciar montoPrestamo montoCredito requestedAmount financedAmount precioTotal totalPrice
  montoCompra totalCompra orderTotal orderAmount totalOrden montoOrden montoPedido totalPedido
`)

const ORDERS = words(`
  order orden orderId ordenId idOrden orderNumber orderNo numeroOrden nroOrden numOrden nOrden noOrden ordenCompra
  idOrdenCompra pedido pedidoId idPedido numeroPedido nroPedido numPedido nPedido noPedido codigoPedido codigoOrden
  orderCode merchantOrderId trxId idTrx transactionId idTransaction externalTransactionId externalId idExterno
  transaccion idTransaccion transaccionId numeroTransaccion nroTransaccion codigoTransaccion
`)

/** Every name that a column of a file may have, in English and Spanish. `wordOf` says which differences in spelling do not count. */
export const COLUMN_NAMES = {
  rut: {
    also: words('idNumber'),
    orElse: words(`
      rutCliente clienteRut customerRut rutCustomer rutTitular rutComprador run nationalId
    `),
  },
  checkDigit: {
    also: words(`
      dv digitoVerificador digVerificador digito verificador digitoVerif dvRut rutDv dvCliente clienteDv digitoRut
      rutDigito rutVerificador verificationDigit checkDigit checkCharacter dgv digitoVerificadorRut
      rutDigitoVerificador idNumberDv runDv dvRun rutDvCliente rutClienteDv
    `),
  },
  amount: { also: words('monto'), orElse: AMOUNTS },
  externalTrxId: { also: words('trx transaction'), orElse: ORDERS },
  entityId: { orElse: words('idEntidad partnerEntityId') },
  preApproveId: {
    also: words('idPreAprobacion'),
    orElse: words('id preApprovalId idPreAprobado preAprobacion preApproval'),
  },
  expectedAmount: { also: words('montoEsperado expectedLoanAmount') },
  expectedState: { also: words('estadoEsperado expectedStatus') },
  expectedPeriods: { also: words('cuotasEsperadas expectedInstallments periodosEsperados') },
  expectedInstallmentAmount: { also: words('montoCuotaEsperado valorCuotaEsperado') },
  expectedLastInstallmentAmount: { also: words('ultimaCuotaEsperada montoUltimaCuotaEsperado') },
  expectedInterestRate: { also: words('tasaEsperada expectedRate') },
  expectedTransferDate: { also: words('fechaTransferenciaEsperada') },
  loanAmount: { also: [...words('amount monto'), ...AMOUNTS] },
  state: {
    also: words(`
      estado status loanState loanStatus estadoPrestamo estadoCredito estadoLoan situacion stateLoan creditState
      creditStatus
    `),
  },
  periods: {
    also: words(`
      cuotas installments plazo plazos meses months period periodos term terms nroCuotas nCuotas noCuotas numCuotas
      numeroCuotas cantidadCuotas cantCuotas cuotasTotales plazoMeses installmentCount numberInstallments
      numInstallments installmentsNumber installmentsCount numberPeriods numPeriods numeroPeriodos nroPeriodos
      installmentOption cuotasPactadas termMonths
    `),
  },
  installmentAmount: {
    also: words(`
      valorCuota montoCuota importeCuota cuotaMensual valorCuotaMensual montoCuotaMensual montoPorCuota valorPorCuota
      amountPerInstallment installmentValue monthlyInstallment monthlyPayment amountInstallment
    `),
  },
  lastInstallmentAmount: {
    also: words(`
      ultimaCuota valorUltimaCuota montoUltimaCuota importeUltimaCuota lastInstallment finalInstallment
      finalInstallmentAmount lastInstallmentValue cuotaFinal montoCuotaFinal valorCuotaFinal
    `),
  },
  interestRate: {
    also: words(`
      tasa tasaInteres rate interestRateMonthly monthlyRate tasaMensual tasaInteresMensual
    `),
  },
  transferDate: {
    also: words(`
      fechaTransferencia fechaAbono fechaDeposito transferenciaFecha transferredAt dateTransfer transferDay
      fechaTransfer
    `),
  },
} satisfies Record<string, Names>

/** Names that can mean two of the columns that are compared with a loan. */
const AMBIGUOUS: Readonly<Record<string, readonly string[]>> = {
  cuota: ['periods', 'installmentAmount'],
  installment: ['periods', 'installmentAmount'],
  totalcuotas: ['periods', 'loanAmount'],
  totalinstallments: ['periods', 'loanAmount'],
}

export const column = (
  name: keyof typeof COLUMN_NAMES,
  more: Pick<InputColumn, 'required'> & Partial<InputColumn>,
): InputColumn => ({ name, ...COLUMN_NAMES[name], ...more })

/** The names of the column of check digits, which is read together with the column of RUTs. */
export const CHECK_DIGIT_NAMES: readonly string[] = COLUMN_NAMES.checkDigit.also

const IGNORED = new Set(['failedkind', 'failedmessage'])

/** Whether a column with this name says why a row failed in an earlier run. */
export const isFailedReason = (name: string): boolean => IGNORED.has(wordOf(name))

/** Words that say nothing about the meaning of a column. */
const SMALL_WORDS = new Set(['de', 'del', 'la', 'las', 'el', 'los', 'en', 'of', 'the', 'clp', 'pesos'])

/**
 * Returns the name of a column as one word: accents, upper and lower case, spaces, separators, and words such as “de” do not count. `Nº de
 * cuotas` becomes `nocuotas`.
 */
function wordOf(name: string): string {
  const words = name
    .replace(/[°º]/g, 'o')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
  return words.filter((word) => !SMALL_WORDS.has(word)).join('')
}

/** Where the values of a row are: positions of cells (CSV) or fields (NDJSON). */
interface Layout {
  /** For each column, the positions of its value. More than one, if several columns of the file have a name of the same column. */
  claims: readonly (readonly number[])[]
  /** For each column, the positions of its second part, such as the check digit of a RUT. */
  parts: readonly (readonly number[])[]
  /** For each column with a second part, the unread cells directly beside its value. */
  beside: readonly (readonly number[])[]
  /** Whether each column has at most one position, and no second part. */
  isPlain: boolean
  /** Positions that are copied to the results. */
  others: readonly number[]
  /** Positions with national ids, which are left out of the results. */
  leftOut: readonly number[]
  unused: readonly number[]
}

interface ColumnReader {
  /** Returns where the values are in a row or header with these names. */
  layout(names: readonly string[], kinds?: readonly CellKind[]): Layout
  /** Reads the values of a row. Throws `usage` if two columns of the file contradict each other. */
  values(
    layout: Layout,
    names: readonly string[],
    line: number,
    textAt: (position: number) => string | undefined,
  ): Values | string
  use(): ColumnUse
}

/** Only text and numbers are values of a column. In NDJSON, a field can also have another value, or none. */
export type CellKind = 'value' | 'none' | 'other'

const MAX_LAYOUTS = 1000

/**
 * Returns the reader of the columns of one file, for CSV and NDJSON.
 * @param file the name of the file, for errors
 */
export function createColumnReader(file: string, columns: readonly InputColumn[]): ColumnReader {
  const [strong, weak, parts] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]
  const ambiguous = new Map<string, readonly string[]>()
  const unread = new Set(columns.flatMap(({ not = [] }) => not.map(wordOf)))
  for (const [i, { name, also = [], orElse = [], only, part }] of columns.entries()) {
    for (const each of only ?? [name, ...also]) if (!strong.has(wordOf(each))) strong.set(wordOf(each), i)
    for (const each of only === undefined ? orElse : []) weak.set(wordOf(each), i)
    for (const each of part?.names ?? []) parts.set(wordOf(each), i)
  }
  // A name that the user gave to a column does not mean another column.
  for (const [i, { only = [] }] of columns.entries()) for (const each of only) strong.set(wordOf(each), i)
  if (columns.some(({ compared }) => compared !== undefined))
    for (const [word, meant] of Object.entries(AMBIGUOUS)) if (!strong.has(word)) ambiguous.set(word, meant)
  const used = columns.map(() => createNameList())
  const unused = createNameList()
  const layouts = new Map<string, Layout>()

  const make = (names: readonly string[], kinds: readonly CellKind[] | undefined): Layout => {
    const kindOf = (position: number) => kinds?.[position] ?? 'value'
    const isCell = (position: number) => kindOf(position) === 'value'
    const words = names.map(wordOf)
    const claims: number[][] = columns.map(() => [])
    const second: number[][] = columns.map(() => [])
    const free: number[] = []
    const [others, leftOut, notUsed]: number[][] = [[], [], []]
    for (const [position, word] of words.entries()) {
      const name = names[position] ?? ''
      const isUnread = unread.has(word)
      const column = isUnread ? undefined : strong.get(word)
      const part = isUnread ? undefined : parts.get(word)
      const copied = column === undefined ? undefined : columns[column]?.copied
      if (IGNORED.has(word)) notUsed?.push(position)
      else if (column !== undefined && kindOf(position) === 'none') {
        used[column]?.add(shown(name))
        if (copied?.(word)) others?.push(position)
      } else if (column !== undefined && (isCell(position) || copied === undefined)) claims[column]?.push(position)
      else if (part !== undefined && isCell(position)) second[part]?.push(position)
      else if (!isUnread && ambiguous.has(word) && isCell(position))
        throw unclear(file, name, ambiguous.get(word) ?? [])
      else free.push(position)
    }
    const read = new Set<number>()
    const isMissing = columns.map((_, i) => claims[i]?.length === 0)
    for (const position of free) {
      const word = words[position] ?? ''
      const column = unread.has(word) ? undefined : weak.get(word)
      if (column === undefined || !isMissing[column] || !isCell(position)) continue
      claims[column]?.push(position)
      read.add(position)
    }
    for (const position of free) {
      if (read.has(position)) continue
      notUsed?.push(position)
      if (isRutName(names[position] ?? '')) leftOut?.push(position)
      else others?.push(position)
    }
    for (const [i, positions] of claims.entries()) {
      for (const position of positions) used[i]?.add(shown(names[position] ?? ''))
      for (const position of second[i] ?? []) used[i]?.add(shown(names[position] ?? ''))
      if (columns[i]?.copied) others?.push(...positions.filter((each) => columns[i]?.copied?.(words[each] ?? '')))
    }
    notUsed?.sort((a, b) => a - b)
    for (const position of notUsed ?? []) unused.add(shown(names[position] ?? '') || `column ${position + 1}`)
    // A column that the user excluded is certainly not a part of a value.
    const isFree = new Set(free.filter((position) => !read.has(position) && !unread.has(words[position] ?? '')))
    return {
      claims,
      parts: second,
      beside: claims.map((positions, i) =>
        columns[i]?.part === undefined
          ? []
          : positions.flatMap((each) => [each - 1, each + 1]).filter((each) => isFree.has(each)),
      ),
      isPlain: claims.every((each) => each.length < 2) && columns.every(({ part }) => part === undefined),
      others: (others ?? []).sort((a, b) => a - b),
      leftOut: leftOut ?? [],
      unused: notUsed ?? [],
    }
  }

  let last: { names: readonly string[]; kinds: readonly CellKind[]; layout: Layout } | undefined
  const keptLayout = (names: readonly string[], kinds: readonly CellKind[] | undefined): Layout => {
    const key = `${names.join('\u0000')}\u0000${kinds?.join(' ') ?? ''}`
    const known = layouts.get(key)
    if (known !== undefined) return known
    const layout = make(names, kinds)
    if (layouts.size < MAX_LAYOUTS) layouts.set(key, layout)
    return layout
  }

  return {
    layout(names, kinds) {
      // Most rows of an NDJSON file have the fields of the row before.
      if (last !== undefined && isEqual(last.names, names) && isEqual(last.kinds, kinds ?? [])) return last.layout
      const layout = keptLayout(names, kinds)
      last = { names, kinds: kinds ?? [], layout }
      return layout
    },
    values(layout, names, line, textAt) {
      const values: (string | undefined)[] = columns.map(() => undefined)
      const first = (positions: readonly number[] | undefined, mask: boolean) => {
        let found: { text: string; position: number } | undefined
        for (const position of positions ?? []) {
          const text = textAt(position)
          if (text === undefined) continue
          if (found !== undefined && found.text !== text)
            throw contradiction(
              file,
              line,
              [names[found.position] ?? '', found.text],
              [names[position] ?? '', text],
              mask,
            )
          found ??= { text, position }
        }
        return found?.text
      }
      for (const [i, { part }] of columns.entries()) {
        const value = first(layout.claims[i], part !== undefined)
        values[i] = value
        if (part === undefined || value === undefined) continue
        const second = first(layout.parts[i], true)
        const hasPart = (layout.parts[i]?.length ?? 0) > 0
        const joined = part.join(value, second, hasPart ? undefined : (layout.beside[i] ?? []).map(textAt))
        if ('problem' in joined) return joined.problem
        values[i] = joined.value
      }
      return values
    },
    use: () => ({
      used: columns.map((_, i) => used[i]?.names() ?? ['•••']),
      unused: unused.names() ?? ['•••'],
    }),
  }
}

const isEqual = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((each, i) => each === others[i])

/** Returns the name of a column for a message. It may be hostile, or contain personal data if the file is not what it should be. */
const shown = (name: string): string => maskWords(shortened(visible(name.trim()), 60))

/**
 * Returns how well a header line fits the columns: the number of columns that it names. A required column counts more than all others
 * together.
 */
export function fit(cells: readonly string[], columns: readonly InputColumn[]): number {
  const found = new Set(cells.map(wordOf))
  return columns.reduce((sum, { name, also = [], orElse = [], only, part, required }) => {
    const isNamed = (only ?? [name, ...also, ...orElse, ...(part?.names ?? [])]).some((each) => found.has(wordOf(each)))
    return sum + (isNamed ? (required ? columns.length : 1) : 0)
  }, 0)
}

/** Reads a header line. Throws `usage` when a required column is missing, or a copied column occurs twice. */
export function readHeader(
  file: string,
  names: readonly string[],
  columns: readonly InputColumn[],
  reader: ColumnReader,
) {
  const layout = reader.layout(names)
  const taken = new Set(names)
  const seen = new Set<string>()
  const others = layout.others.map((position) => {
    const name = names[position] ?? ''
    if (name !== '' && seen.has(name)) throw twice(file, name)
    seen.add(name)
    return { name: name === '' ? nameOfUnnamed(position, taken) : name, position }
  })
  const isMissing = (i: number) => layout.claims[i]?.length === 0
  const missing = columns
    .filter((column, i) => column.required && isMissing(i))
    .map(({ name, only }) => only?.join(', ') ?? name)
  if (missing.length > 0) {
    throw usage(
      `${file} has no column ${missing.join(', ')}; the columns of its first line are: ${shortened(names.map(nameOrNone).join(', '), 300)}`,
      `${names.every((name) => nameOrDots(name) === '•••') || names.includes('') ? HEADER_FIRST : ''}Add the missing columns, or say which column of the file is meant: --column NAME=${columns.find((each, i) => each.required && isMissing(i))?.name}. bnpl reads these columns (| is between names of the same column): ${columns.map(listed).join(', ')}`,
      'MISSING_COLUMN',
    )
  }
  const leftOut = layout.leftOut.map((position) => nameOrDots(names[position] ?? ''))
  return { layout, others, leftOut }
}

const HEADER_FIRST = 'The first line of the file must have the names of the columns. Delete titles above it. '

const nameOrNone = (name: string) => (name.trim() === '' ? '(no name)' : nameOrDots(name))

const LISTED = 4

/** Returns the names of a column as a usage does, because a list inside this list would need words. */
const listed = ({ name, also = [], orElse = [], required }: InputColumn) => {
  if (!required) return `[${name}]`
  const more = [...also, ...orElse]
  return [name, ...more.slice(0, LISTED), ...(more.length > LISTED ? ['…'] : [])].join('|')
}

function nameOfUnnamed(position: number, taken: ReadonlySet<string>): string {
  let name = `column${position + 1}`
  while (taken.has(name)) name += '-'
  return name
}

/**
 * Returns dots for a cell that does not look like the name of a column. If a file has no header line, its first line can contain a national
 * id or an address. The first line of a wrong file can even contain a key.
 */
export const nameOrDots = (cell: string) => (/^\p{L}[^\d@]{0,39}\d{0,2}$/u.test(cell.trim()) ? cell.trim() : '•••')

const twice = (file: string, name: string) =>
  usage(
    `${file} has the column ${nameOrDots(name)} more than once`,
    'Keep only one of these columns. Nothing was sent.',
    'DUPLICATE_COLUMN',
  )

const unclear = (file: string, name: string, meant: readonly string[]) =>
  usage(
    `${file} has the column ${shown(name)}, which can mean ${meant.join(' or ')}`,
    `Say what it is with ${meant.map((each) => `--column '${shown(name)}=${each}'`).join(' or ')}. To leave it out of the comparison, use --column '${shown(name)}='. Nothing was sent.`,
    'AMBIGUOUS_COLUMN',
  )

type Said = readonly [name: string, text: string]

function contradiction(file: string, line: number, one: Said, other: Said, mask: boolean) {
  const said = ([name, text]: Said) => (mask ? shown(name) : `${shown(name)} “${shown(text)}”`)
  return usage(
    `${file} has two columns with the same meaning, and they differ in line ${line}: ${said(one)} and ${said(other)}`,
    `Keep only one of these columns, or leave one out with --column '${shown(other[0])}='. Nothing was sent.`,
    'DUPLICATE_COLUMN',
  )
}

/**
 * Returns the columns as the options `--column theirs=ours` say: `ours` is read from the column `theirs` alone. `theirs=` leaves a column
 * unread. Throws `usage` if `ours` is not the name of a column.
 */
export function chosenColumns(columns: readonly InputColumn[], choices: readonly string[]): readonly InputColumn[] {
  const only = new Map<number, string[]>()
  const parts = new Map<number, string[]>()
  const not: string[] = []
  for (const choice of choices) {
    const at = choice.lastIndexOf('=')
    const [theirs, ours] = [choice.slice(0, at).trim(), choice.slice(at + 1).trim()]
    if (at < 1 || wordOf(theirs) === '')
      throw usage(
        `--column “${shown(choice)}” is not valid`,
        'Write the name in the file, then the name that bnpl reads: --column Pedido=externalTrxId',
        'INVALID_COLUMN',
      )
    const whole = columns.findIndex(({ part }) => part?.names.some((name) => wordOf(name) === wordOf(ours)))
    if (ours === '') not.push(theirs)
    else if (whole !== -1) parts.set(whole, [theirs])
    else only.set(columnNamed(columns, ours), [theirs])
  }
  return columns.map((each, i) => {
    const names = parts.get(i)
    return {
      ...each,
      ...(only.has(i) ? { only: only.get(i) } : {}),
      ...(names !== undefined && each.part !== undefined ? { part: { ...each.part, names } } : {}),
      ...(not.length > 0 ? { not } : {}),
    }
  })
}

function columnNamed(columns: readonly InputColumn[], ours: string): number {
  const ranks = [
    ({ name }: InputColumn) => [name],
    ({ also = [] }: InputColumn) => also,
    ({ orElse = [] }: InputColumn) => orElse,
  ]
  for (const names of ranks) {
    const found = columns.findIndex((each) => names(each).some((name) => wordOf(name) === wordOf(ours)))
    if (found !== -1) return found
  }
  throw usage(
    `--column: “${shown(ours)}” is not a column that bnpl reads`,
    `Use one of these names: ${columns.map(({ name }) => name).join(', ')}.`,
    'INVALID_COLUMN',
  )
}

/**
 * Returns which columns of a file a run uses, and which it does not use, as a text for people.
 * @param filled for each column, in how many of the `rows` it has a value
 */
export function columnsInWords(
  columns: readonly InputColumn[],
  { used, unused }: ColumnUse,
  filled: readonly number[],
  rows: number,
): string {
  const named = (i: number) =>
    (used[i] ?? []).map((name) => {
      const count = filled[i] ?? 0
      const facts = [
        ...(name === columns[i]?.name ? [] : [columns[i]?.name]),
        ...(columns[i]?.compared !== undefined && count < rows ? [`in ${count} of ${rows} rows`] : []),
      ]
      return facts.length === 0 ? name : `${name} (${facts.join(', ')})`
    })
  const read = columns.flatMap((each, i) => (each.compared === undefined ? named(i) : []))
  const compared = columns.flatMap((each, i) => (each.compared !== undefined && filled[i] ? named(i) : []))
  const empty = emptyNames(columns, used, filled)
  const compares = columns.some((each) => each.compared !== undefined)
  const parts = [`Columns read: ${read.join(', ')}.`]
  if (compares)
    parts.push(
      compared.length > 0
        ? `Compared with the loan: ${compared.join(', ')}.`
        : 'Compared with the loan: nothing. The run only checks that a loan exists.',
    )
  if (empty.length > 0) parts.push(`Not compared, because every cell is empty: ${empty.join(', ')}.`)
  if (unused.length > 0) parts.push(`${compares ? 'Not compared' : 'Not used'}: ${firstOf(unused, 200)}.`)
  return parts.join(' ')
}

/** Returns the names in the file of the columns that would be compared, but have no value in any row. */
const emptyNames = (columns: readonly InputColumn[], used: ColumnUse['used'], filled: readonly number[]) =>
  columns.flatMap(({ compared }, i) => (compared !== undefined && !filled[i] ? (used[i] ?? []) : []))

/** Returns the same facts as `columnsInWords`, for programs. `compared` has the words for what is compared, each once. */
export function columnFacts(columns: readonly InputColumn[], { used, unused }: ColumnUse, filled: readonly number[]) {
  const isUsed = ({ compared }: InputColumn, i: number) =>
    (used[i] ?? []).length > 0 && (compared === undefined || filled[i])
  const compared = columns.flatMap((each, i) => (each.compared !== undefined && isUsed(each, i) ? [each.compared] : []))
  return {
    used: Object.fromEntries(columns.flatMap((each, i) => (isUsed(each, i) ? [[each.name, used[i]]] : []))),
    notUsed: [...emptyNames(columns, used, filled), ...unused],
    compared: [...new Set(compared)],
  }
}

interface NameList {
  add(name: string): void
  /** The different names, in the order in which they were first added. Undefined if there are too many. */
  names(): readonly string[] | undefined
}

/** CSV results have at most this many columns from an NDJSON file, because every row has a cell for each of them. */
const MAX_NAMES = 1000
/** The maximum total length of all names, in characters. */
const MAX_LENGTH = 1_000_000

/** Returns a list of different names. Its memory is limited, because each row of an NDJSON file can have new names. */
export function createNameList(): NameList {
  const names = new Set<string>()
  let length = 0
  let isFull = false
  return {
    add(name) {
      if (isFull || names.has(name)) return
      length += name.length
      isFull = names.size === MAX_NAMES || length > MAX_LENGTH
      if (isFull) names.clear()
      else names.add(name)
    },
    names: () => (isFull ? undefined : [...names]),
  }
}

/**
 * Returns a cell of NDJSON without the fields inside it that contain a national id.
 * @param column the column of the cell
 * @param leftOut called with the name of each such field, such as `customer.rut`
 */
export function withoutNationalIds(cell: unknown, column: string, leftOut: (name: string) => void): unknown {
  if (typeof cell !== 'object' || cell === null || JSON.isRawJSON(cell)) return cell
  if (Array.isArray(cell)) return cell.map((each: unknown) => withoutNationalIds(each, column, leftOut))
  const kept = Object.entries(cell).flatMap(([name, value]): [string, unknown][] => {
    const path = `${column}.${name}`
    if (!isRutName(name)) return [[name, withoutNationalIds(value, path, leftOut)]]
    leftOut(path)
    return []
  })
  return Object.fromEntries(kept)
}
