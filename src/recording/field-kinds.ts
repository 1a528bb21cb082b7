import type { Call } from '../contract/calls/call.ts'
import { CALLS } from '../contract/calls/calls.ts'
import { GAP_CODES } from '../contract/failures/codes.ts'
import { CONTRACT_FIELDS, type FieldKind } from '../contract/fields.ts'
import { INTEGRATIONS } from '../contract/integrations.ts'

/**
 * Rules for names that are not in `CONTRACT_FIELDS`. A name is first split into words in lower case, joined by `_`. The first rule that
 * matches is used.
 */
const RULES: readonly (readonly [RegExp, FieldKind])[] = [
  [
    /secret|passw|clave|token|authori[sz]ation|signature|firma|^sig$|cookie|credential|api_?key|public_?key|access_?key|session|nonce|verification_?code|codigo_?(verificacion|seguridad)|security_?code|sms_?code|passcode|one_?time|(^|_)(key|pass|auth|otp|totp|mfa|pin|jwt|cvv|cvc|csrf)(_|$)/,
    'secret',
  ],
  [
    /(^|_)(rut|run|dni|cedula|national|documento|id_number|tax_id|ssn|passport|pasaporte)(_|$)|idnumber|nationalid|taxid/,
    'rut',
  ],
  [/mail|correo/, 'email'],
  [
    /phone|telefono|fono|celular|mobile|movil|whatsapp|cuenta|iban|tarjeta|card_?number|(^|_)(pan|tel|fax|account|account_number|bank_account|ip|lat|lng|lon|latitude?|longitude?|latitud|longitud|geo|coords?|coordinates?|coordenadas?|accounts|serie|serial)(_|$)/,
    'digits',
  ],
  [/birth|nacimiento|(^|_)dob(_|$)/, 'birth'],
  [
    /name|nombre|apellid|surname|direccion|address|street|calle|comuna|ciudad|(^|_)city(_|$)|region|holder|titular|emplea|employer|contact|cliente|customer|postal|zip|remitente|domicilio|ubicacion/,
    'words',
  ],
  [
    /(^|_)(user|usuario|uid|login|nick|alias|owner|author|autor|agent|agente|ejecutivo|vendedor|seller|member|socio|person|persona|payer|pagador|buyer|comprador|beneficiari[oa]|deudor|debtor|codeudor|aval|guarantor|conyuge|spouse)s?(_|$)/,
    'person',
  ],
  [/ur[li](_|$)|(^|_)(link|href|location|callback|webhook|redirect)(_|$)|^url/, 'url'],
  [/(^|_)(id|uuid|guid|ref|reference|folio|uid)(_|$)/, 'id'],
  [
    /(^|_)(state|status|estado|code|codigo|error|type|tipo|event|evento|step|kind|scheme|currency|moneda|result|resultado|outcome|reason_code|module|product|environment|version|algorithm|encoding|method)s?(_|$)/,
    'code',
  ],
  [
    /(^|_)(at|date|fecha|time|timestamp|expires?|expiry|expiration|vigencia|hasta|until|since|iat|exp|nbf|vencimiento)(_|$)/,
    'moment',
  ],
  [
    /amount|total|monto|renta|deuda|ingreso|sueldo|salario|income|salary|arriendo|saldo|balance|price|precio|score|puntaje|cuota|tasa|cantidad|plazo|installment|seconds|millis|(^|_)(debt|rate|ratio|count|size|limit|offset|page|pagina|retry|retries|ttl|period|periodo|ms|index|length|attempt)s?(_|$)/,
    'number',
  ],
]

const KNOWN = new Map<string, FieldKind>(Object.entries(CONTRACT_FIELDS))

/** Returns the kind of a field by its name. Brackets of forms, as in `eventTypes[]`, are ignored. */
export function kindOfField(name: string): FieldKind {
  const known = KNOWN.get(name)
  if (known !== undefined) return known
  const kind = judged(name.replace(/\[[^\]]*\]$/, (index) => (/^\[\d*\]$/.test(index) ? '' : `_${index.slice(1, -1)}`)))
  // Names come from outside, so the number of remembered names must be limited.
  if (KNOWN.size < 5000) KNOWN.set(name, kind)
  return kind
}

function judged(name: string): FieldKind {
  const listed = Object.hasOwn(CONTRACT_FIELDS, name) ? CONTRACT_FIELDS[name] : undefined
  if (listed !== undefined) return listed
  const words = name
    .slice(0, 128)
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '_')
  return RULES.find(([pattern]) => pattern.test(words))?.[1] ?? 'unknown'
}

const OF_THE_PROTOCOL =
  'ACTIVE APPROVED AUTHORIZATION AWS4-HMAC-SHA256 Bearer CLP EUR HMAC HS256 PAID PENDING REJECTED UNSIGNED-PAYLOAD USD api application approved beta bnpl charset event events form hex hook hooks http https json pdf pending production rejected sandbox storage text undefined utf webhooks'.split(
    ' ',
  )

const wordsOfCalls = Object.values<Call>(CALLS).flatMap(({ path, statuses }) => [
  ...path.split('/').filter((part) => part !== '' && !part.startsWith('{')),
  ...Object.values(statuses).flatMap(({ codes }) => Object.keys(codes ?? {})),
])

const wordsOfDeliveries = Object.values(INTEGRATIONS).flatMap(({ events, scheme, written, header }) => [
  ...events,
  scheme,
  written,
  header,
])

const VOCABULARY: ReadonlySet<string> = new Set([
  ...OF_THE_PROTOCOL,
  ...Object.keys(CONTRACT_FIELDS),
  ...Object.keys(GAP_CODES),
  ...wordsOfCalls,
  ...wordsOfDeliveries,
])

/** Whether a whole value is a word of the contract, such as a state, a code or the name of a field. */
export const isServiceWord = (text: string): boolean => VOCABULARY.has(text)
