import { isPartOfServiceWord, isServiceWord } from './vocabulary.ts'

/** The words that services use for states, steps, types, results and reasons. None of them is a first name or a surname. */
const WORDS: ReadonlySet<string> = new Set(
  `
  accepted active address amount api approval approved auth authorization authorized available bad bank batch blocked body
  business cancel canceled cancelled card check closed code completed conflict confirmed contract created credit currency
  daily data date debit declined default defaulted delayed deleted delivered denied destination disabled disbursed disbursement
  document done draft due duplicate duplicated email empty enabled entity err error evaluated evaluating evaluation event exceeded
  exists expired external failed failure field file final finished first fixed forbidden format found fraud general health
  header income incomplete initial inactive informe input installment installments insufficient internal invalid is key
  late lead limit list live loan locked malformed manual merchant message method mismatch missing module monthly month new
  no none not offer ok on open option order other out overdue paid parameter parse partial partially partner pay payment
  pending period phone plan policy pre processed processing product production project purchase queued quota rate reached
  ready received record refund refunded refused registered rejected report request requested required resource retry
  returned reversed review reviewed revoked risk rule sale sandbox scheduled score secret selected sent server service
  session settled signature signed simulation state status started step stopped succeeded success successful suspended
  system temporary test throttled time timeout to token too total transaction transfer transferred trx type unable
  unauthenticated unauthorized unavailable unexpected unknown unpaid unprocessable unsupported updated upstream url user valid
  validated validation verified verification verify version void voided waiting webhook weekly widget wrong year yearly yet
  abierto aceptada aceptado activa activo al anulada anulado aprobacion aprobada aprobado atrasado autorizado aviso bloqueado
  cancelada cancelado castigado cerrada cerrado codigo completado comercio cobro condonado consumo contado contrato creada
  creado credito cuota cuotas curso debito denegado desembolsado desembolso deuda devuelto documento dia dias eliminado emitido
  en enviado error espera estado evaluacion evaluada evaluado evaluando excedido expirado exito exitoso fallido falta fecha
  finalizada finalizado firmado formato hipotecario inactivo incompleto ingresado iniciado insuficiente interno invalida
  invalido limite liquidado listo lista mensual mes monto morosidad moroso nuevo oferta orden pedido compra boleta factura reserva cotizacion otro pagada pagado pago
  pendiente perfil plazo prestamo procesado proceso producto proyecto rechazada rechazado recibido registrado renta
  requerido respuesta revision riesgo sin sistema solicitado solicitud suspendido tarjeta terminado tipo total
  transferencia transferido usuario validado validacion vencida vencido venta verificado vigente visado
  admin compras contact contacto info noreply pagos payments sales shop smoke soporte store support tienda ventas
  clp uf usd eur uyu pen cop mxn ars brl cl es en pdf json xml http https hmac sha md hs rs bnpl sms otp
  `
    .split(/\s+/)
    .filter(Boolean),
)

const NUMBERED = /^[A-Za-z]{1,2}[-_.]?\d{1,6}$/
const FORM = /^[A-Za-z][A-Za-z\d]*(?:[_.-][A-Za-z\d]+)*$/

/** Returns whether a word is usual in states, types and error codes. The word must be in lower case. */
export const isKnownWord = (word: string): boolean => WORDS.has(word) || isPartOfServiceWord(word)

/**
 * Whether a text is a code. An unknown word may be a person's name, because `MARIA` is written like `ACTIVE`. So an unknown word is
 * accepted only if `_` joins it to a known word.
 */
export function isCode(text: string): boolean {
  if (isServiceWord(text)) return true
  if (text.length > 64 || !FORM.test(text)) return false
  if (NUMBERED.test(text)) return true
  const words = text
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean)
  const isUnderscored = /^(?:[A-Z][A-Z\d]*(?:_[A-Z\d]+)+|[a-z][a-z\d]*(?:_[a-z\d]+)+)$/.test(text)
  return isUnderscored ? words.some(isKnownWord) : words.every(isKnownWord)
}
