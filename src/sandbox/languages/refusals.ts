import type { Language } from '../../contract/languages.ts'

type RefusalCode =
  | 'ERR_AMOUNT_OUT_OF_BOUNDS'
  | 'ERR_CUSTOMER_NOT_APPROVED'
  | 'ERR_FAULT_NOT_FOUND'
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
  | 'ERR_SNAPSHOT_NOT_FOUND'
  | 'ERR_SNAPSHOT_NOT_READ'
  | 'ERR_SNAPSHOT_NOT_WRITTEN'
  | 'ERR_TRANSACTION_ALREADY_PAID'
  | 'ERR_TRANSACTION_NOT_FOUND'

const WORDS: Readonly<Record<Exclude<Language, 'en'>, Readonly<Record<RefusalCode, string>>>> = {
  es: {
    ERR_AMOUNT_OUT_OF_BOUNDS: 'El monto está fuera de los límites del servicio.',
    ERR_CUSTOMER_NOT_APPROVED: 'El cliente no fue aprobado.',
    ERR_FAULT_NOT_FOUND: 'Esta falla ya no está preparada.',
    ERR_INVALID_ID_NUMBER: 'El RUT no es válido: escríbelo como 11111111-1.',
    ERR_LOAN_NOT_FOUND: 'Esta transacción no tiene un crédito: verifica de nuevo después del pago.',
    ERR_NOT_A_SNAPSHOT: 'El archivo no es una instantánea de un sandbox.',
    ERR_NO_SUCH_DELIVERY: 'Todavía no hay una entrega que se pueda repetir.',
    ERR_NO_SUCH_DESTINATION: 'Los destinos de estas entregas se eliminaron.',
    ERR_PARTNER_HAS_NO_LEADS: 'Esta cuenta no tiene leads: usa una cuenta inmobiliaria.',
    ERR_PARTNER_INACTIVE: 'Esta cuenta está inactiva.',
    ERR_PARTNER_NOT_FOUND: 'El sandbox no tiene esta cuenta.',
    ERR_RATE_LIMIT_EXCEEDED: 'Se superó el límite de llamadas: espera unos segundos.',
    ERR_SERVICE_UNAVAILABLE: 'El servicio no puede atender esta llamada ahora.',
    ERR_SNAPSHOT_NOT_FOUND: 'La instantánea ya no existe.',
    ERR_SNAPSHOT_NOT_READ: 'La instantánea no se pudo leer.',
    ERR_SNAPSHOT_NOT_WRITTEN: 'La instantánea no se pudo guardar.',
    ERR_TRANSACTION_ALREADY_PAID: 'Esta transacción ya se pagó.',
    ERR_TRANSACTION_NOT_FOUND: 'El sandbox no conoce esta transacción: evalúala primero.',
  },
}

/** Returns the text of each refusal, by its code. Empty for English, because the service's own message is in English. */
export const refusalWords = (language: Language): Readonly<Record<string, string>> =>
  language === 'en' ? {} : WORDS[language]
