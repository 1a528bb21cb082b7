import type { Language } from '../../contract/languages.ts'
import { FAULT_KIND_NAMES, faultKind, type HarmKind } from '../../domain/sandbox-faults.ts'

type KindWords = Readonly<Record<HarmKind, string>>

const WORDS: Readonly<Record<Exclude<Language, 'en'>, KindWords>> = {
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

/** Returns a description of each kind of fault, in the given language. */
export function kindWords(language: Language): Readonly<Record<string, string>> {
  if (language !== 'en') return WORDS[language]
  return Object.fromEntries(FAULT_KIND_NAMES.map((kind) => [kind, faultKind(kind).does]))
}
