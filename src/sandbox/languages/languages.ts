import { LANGUAGES, type Language } from '../../contract/languages.ts'
import { groupDigits } from '../../domain/amount.ts'
import { FAULT_KIND_NAMES, faultKind, type SimulatedFaultKind } from '../../domain/sandbox-faults.ts'
import { en, type PageTexts, type Texts } from './en.ts'
import { es } from './es.ts'

export const TEXTS: Readonly<Record<Language, Texts>> = { en, es }

/**
 * Texts in the languages other than English. The English text of a fault is in `domain/sandbox-faults.ts`, and the English text of a
 * refusal is the message in the answer.
 */
type ByLanguage<Name extends string> = Readonly<Record<Exclude<Language, 'en'>, Readonly<Record<Name, string>>>>

const KINDS: ByLanguage<SimulatedFaultKind> = {
  es: {
    refused: 'la conexión se rechaza y no se hace nada',
    slow: 'la respuesta llega 30 s tarde, y la llamada se ejecuta aunque quien llama corte la conexión',
    'rate-limited': 'la respuesta es 429 con Retry-After y no se hace nada',
    'server-error': 'la respuesta es 500 y no se hace nada',
    'cut-before': 'la conexión se cierra y la llamada no se ejecuta',
    'cut-after': 'la llamada se ejecuta y la conexión se cierra sin respuesta',
    'cut-within': 'la conexión se cierra en medio del cuerpo de la respuesta',
    'broken-body': 'el cuerpo de la respuesta es una página HTML',
    'half-body': 'la respuesta contiene solo la primera mitad de su cuerpo, y declara el largo de esa mitad',
    'empty-body': 'el cuerpo de la respuesta está vacío',
    'unknown-fields': 'cada objeto de la respuesta tiene un campo que no está en la especificación',
    'reordered-fields': 'los campos de cada objeto de la respuesta están en orden inverso',
    'other-amount': 'cada monto de la respuesta es menor en 1',
    'other-state': 'cada estado de la respuesta es CANCELLED',
    'other-transaction': 'la respuesta tiene el externalTrxId de otra transacción',
    'other-id': 'los ids de la respuesta son los de otra evaluación',
    twice: 'el evento se entrega dos veces',
    late: 'el evento se entrega 2 s tarde',
    early: 'el evento se entrega antes de que la página de pago lleve al cliente de vuelta a la tienda',
    'out-of-order':
      'el evento se entrega después del evento siguiente para el mismo destino, o 2 s tarde si no hay otro evento',
    never: 'el evento nunca se entrega',
    'wrong-signature': 'primero se entrega una copia del evento con una firma errónea',
    'other-body': 'después del evento se entrega otro evento con el mismo eventId y con otros montos',
    redirected: 'antes del evento llega un GET sin cuerpo, como después de una redirección',
    'of-another': 'primero se entrega un evento sobre una transacción de otra tienda',
    'no-return': 'el cliente paga y no vuelve',
    'return-twice': 'el cliente vuelve dos veces',
    'return-of-another': 'el cliente vuelve con los parámetros de otra transacción',
    'return-undefined': 'el cliente vuelve con el texto “undefined” en cada parámetro',
    expired: 'el token vence antes de que el cliente pague',
    cancelled: 'el cliente cancela',
    rejected: 'el pago se rechaza',
    'second-attempt': 'el pago se rechaza primero; el cliente vuelve, lo intenta de nuevo y paga',
  },
}

type RefusalCode =
  | 'ERR_AMOUNT_OUT_OF_BOUNDS'
  | 'ERR_CONTROL_INPUT'
  | 'ERR_CUSTOMER_NOT_APPROVED'
  | 'ERR_FAULT_NOT_FOUND'
  | 'ERR_ID_NUMBER_MISMATCH'
  | 'ERR_ID_NUMBER_NEEDED'
  | 'ERR_INVALID_ID_NUMBER'
  | 'ERR_LOAN_NOT_FOUND'
  | 'ERR_NOT_A_SNAPSHOT'
  | 'ERR_NO_SUCH_DELIVERY'
  | 'ERR_NO_SUCH_DESTINATION'
  | 'ERR_PARTNER_HAS_NO_LEADS'
  | 'ERR_PARTNER_INACTIVE'
  | 'ERR_PARTNER_NOT_FOUND'
  | 'ERR_RATE_LIMIT_EXCEEDED'
  | 'ERR_SERVICE_UNAVAILABLE'
  | 'ERR_SNAPSHOT_OF_ANOTHER_SANDBOX'
  | 'ERR_SNAPSHOT_NOT_FOUND'
  | 'ERR_SNAPSHOT_NOT_READ'
  | 'ERR_SNAPSHOT_NOT_WRITTEN'
  | 'ERR_TRANSACTION_ALREADY_PAID'
  | 'ERR_TRANSACTION_NOT_FOUND'

/** Why the service refused something in the window, by its code. `{1}` is the first number that the service's message names. */
const REFUSALS: ByLanguage<RefusalCode> = {
  es: {
    ERR_AMOUNT_OUT_OF_BOUNDS: 'El monto debe estar entre {1} y {2}.',
    ERR_CONTROL_INPUT: 'El sandbox no aceptó un valor.',
    ERR_CUSTOMER_NOT_APPROVED: 'El cliente no fue aprobado.',
    ERR_FAULT_NOT_FOUND: 'Esta falla ya no está preparada.',
    ERR_ID_NUMBER_MISMATCH: 'La transacción fue evaluada para otro cliente: deja el RUT vacío.',
    ERR_ID_NUMBER_NEEDED: 'La transacción no fue evaluada: escribe el RUT del cliente.',
    ERR_INVALID_ID_NUMBER: 'El RUT no es válido: revisa los números y el dígito verificador, como en 12345678-5.',
    ERR_LOAN_NOT_FOUND: 'Esta transacción no tiene un crédito: verifica de nuevo después del pago.',
    ERR_NOT_A_SNAPSHOT: 'El archivo no es una instantánea de un sandbox.',
    ERR_NO_SUCH_DELIVERY: 'Todavía no hay una entrega que se pueda repetir.',
    ERR_NO_SUCH_DESTINATION: 'Los destinos de estas entregas se eliminaron.',
    ERR_PARTNER_HAS_NO_LEADS: 'Esta cuenta no tiene leads: usa una cuenta inmobiliaria.',
    ERR_PARTNER_INACTIVE: 'Esta cuenta está inactiva.',
    ERR_PARTNER_NOT_FOUND: 'El sandbox no tiene esta cuenta.',
    ERR_RATE_LIMIT_EXCEEDED: 'Se superó el límite de llamadas: espera unos segundos.',
    ERR_SERVICE_UNAVAILABLE: 'El servicio no puede atender esta llamada ahora.',
    ERR_SNAPSHOT_OF_ANOTHER_SANDBOX: 'La instantánea es de otra versión del sandbox.',
    ERR_SNAPSHOT_NOT_FOUND: 'La instantánea ya no existe.',
    ERR_SNAPSHOT_NOT_READ: 'La instantánea no se pudo leer.',
    ERR_SNAPSHOT_NOT_WRITTEN: 'La instantánea no se pudo guardar.',
    ERR_TRANSACTION_ALREADY_PAID: 'Esta transacción ya se pagó.',
    ERR_TRANSACTION_NOT_FOUND: 'El sandbox no conoce esta transacción: evalúala primero.',
  },
}

/** Returns every language except the given one. */
export function otherLanguages(language: Language): Language[] {
  return LANGUAGES.filter((other) => other !== language)
}

export interface WindowWords {
  language: Language
  locale: string
  texts: Texts['window']
  kinds: Readonly<Record<string, string>>
  /** The texts of refusals, by error code. Empty in English. */
  refusals: Readonly<Record<string, string>>
  others: readonly { language: Language; name: string }[]
}

/** Returns the texts and the language for the window's scripts. */
export function windowWords(language: Language): WindowWords {
  const { locale, window: texts } = TEXTS[language]
  const kinds = language === 'en' ? englishKinds() : KINDS[language]
  const refusals = language === 'en' ? {} : REFUSALS[language]
  const others = otherLanguages(language).map((other) => ({ language: other, name: TEXTS[other].name }))
  return { language, locale, texts, kinds, refusals, others }
}

const englishKinds = () => Object.fromEntries(FAULT_KIND_NAMES.map((kind) => [kind, faultKind(kind).does]))

/** Returns the chosen language, or else the supported language that the browser prefers, or else Spanish. */
export function readLanguage(chosen: string, acceptLanguage: string): Language {
  const known = LANGUAGES.find((language) => language === chosen)
  if (known) return known
  const wanted = acceptLanguage
    .split(',')
    .flatMap((entry) => {
      const [tag = '', ...parameters] = entry
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/)
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      const language = LANGUAGES.find((each) => each === tag.split('-')[0])
      return language ? [{ language, quality: quality === undefined ? 1 : Number(quality.slice(2)) }] : []
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
  return wanted[0]?.language ?? 'es'
}

/** Returns an amount in pesos, with digits grouped as in the language. The specification names no currency (gap 19). */
export function amountIn(texts: PageTexts, amount: number): string {
  return `$${groupDigits(amount, texts.thousands)}`
}

/**
 * Returns a date (YYYY-MM-DD) in words, with spaces that do not break: `22 de diciembre de 2026`. `Intl` would write the same, but would
 * load 8 MiB of tables for it.
 */
export function dateIn(language: Language, date: string): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return TEXTS[language].page.date(day, month, year).replaceAll(' ', '\u00a0')
}

/** Returns a share as a percentage: `0.0587` → `5,9 %`. */
export function percentIn(texts: PageTexts, share: number): string {
  return `${(share * 100).toFixed(1).replace('.', texts.decimal)}${texts.percent}`
}
