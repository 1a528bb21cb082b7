/** Every word of the payment page, in both languages. English has the type of the Spanish: a missing translation does not compile. */
import { WIDGET_TOKEN_LIFE_MS } from '../../contract/widget.ts'

export type Language = 'es' | 'en'
export type Texts = typeof es

const MINUTES = WIDGET_TOKEN_LIFE_MS / 60_000

const cuotas = (count: number): string => (count === 1 ? '1 cuota' : `${count} cuotas`)
const instalments = (count: number): string => (count === 1 ? '1 instalment' : `${count} instalments`)

const es = {
  thousands: '.',
  decimal: ',',
  percent: ' %',
  otherLanguage: 'English',
  languageLabel: 'View this page in English',
  sandbox: 'Pruebas',
  sandboxDetail: 'Entorno de pruebas: aquí no se mueve dinero real.',
  payAt: (merchant: string) => `Pago en ${merchant}`,
  amount: 'Monto de la compra',
  order: 'Orden',
  choose: 'Elige en cuántas cuotas pagar',
  chosen: 'Tu plan de pago',
  chosenDetail: 'Lo elegiste en la tienda.',
  plan: (count: number, each: string) => `${cuotas(count)} de ${each}`,
  count: cuotas,
  each: (amount: string) => `de ${amount}`,
  total: 'Total',
  cost: 'Costo',
  noCost: 'Sin costo',
  timeLeft: 'Tiempo para pagar',
  announcements: {
    300: 'Te quedan 5 minutos para confirmar el pago.',
    120: 'Te quedan 2 minutos para confirmar el pago.',
    60: 'Te queda 1 minuto para confirmar el pago.',
    30: 'Te quedan 30 segundos para confirmar el pago.',
  },
  confirm: 'Confirmar pago',
  confirmPlan: (count: number, each: string) => `Confirmar ${cuotas(count)} de ${each}`,
  working: 'Procesando tu pago…',
  cancel: 'Cancelar y volver',
  terms: 'Al confirmar aceptas el plan elegido.',
  returnsTo: (origin: string) => `Al terminar volverás a ${origin}`,
  noOptions: 'No hay planes disponibles para esta compra.',
  noOptionsDetail: 'Puedes cancelar y elegir otro medio de pago en la tienda.',
  badOption: 'Ese plan no está disponible para esta compra. Elige uno de la lista.',
  timeIsUp: 'Se acabó el tiempo',
  timeIsUpDetail: 'Este pago venció y no se hizo ningún cargo. Vuelve a la tienda para empezar de nuevo.',
  outcomes: {
    paid: { title: 'Pago aprobado', detail: (merchant: string) => `Tu compra en ${merchant} quedó confirmada.` },
    rejected: {
      title: 'Pago rechazado',
      detail: (merchant: string) =>
        `No pudimos aprobar este pago. No se hizo ningún cargo; puedes elegir otro medio de pago en ${merchant}.`,
    },
    cancelled: {
      title: 'Pago cancelado',
      detail: (merchant: string) => `No se hizo ningún cargo. Puedes volver a ${merchant} cuando quieras.`,
    },
  },
  planLabel: 'Plan',
  preApproval: 'Preaprobación',
  returning: (origin: string) => `Te llevaremos a ${origin} en`,
  seconds: 's',
  returnNow: 'Volver ahora',
  returnTo: (origin: string) => `Volver a ${origin}`,
  embeddedEnd: 'Ya puedes seguir en la tienda.',
  problems: {
    missing: {
      title: 'Falta el pago',
      meaning: 'La dirección con la que llegaste no trae el token del pago (widgetToken).',
      advice: 'Vuelve a la tienda y empieza el pago otra vez.',
    },
    forged: {
      title: 'No reconocemos este pago',
      meaning: 'El token de la dirección no fue emitido por este servicio, o fue alterado.',
      advice: 'No ingreses datos. Vuelve a la tienda por tu cuenta y empieza el pago otra vez.',
    },
    expired: {
      title: 'Este pago venció',
      meaning: `Los pagos se deben confirmar dentro de ${MINUTES} minutos. No se hizo ningún cargo.`,
      advice: 'Vuelve a la tienda y empieza el pago otra vez.',
    },
    used: {
      title: 'Este pago ya terminó',
      meaning: 'Cada token sirve para un solo pago, y este ya se usó.',
      advice: 'Revisa el estado de tu compra en la tienda antes de pagar de nuevo.',
    },
    'wrong-key': {
      title: 'La tienda no coincide',
      meaning: 'La clave pública (publicKey) de la dirección no corresponde a la tienda que creó este pago.',
      advice: 'Vuelve a la tienda y empieza el pago otra vez. Si se repite, avísale a la tienda.',
    },
  },
  badRequest: 'No podemos abrir este pago',
  badRequestMeaning: 'La tienda nos envió una dirección incompleta o insegura:',
  badRequestAdvice: 'Vuelve a la tienda y avísale de este problema. No se hizo ningún cargo.',
  missingParameter: 'falta.',
  unsafeAddress:
    'debe ser una dirección web absoluta: https:// (http:// solo en este equipo), sin usuario, contraseña ni caracteres de control. Llegó:',
  unsafeOrigin: 'debe ser el origen https:// de la página que muestra el widget (http:// solo en este equipo). Llegó:',
  badForm: 'El formulario llegó incompleto',
  badFormMeaning: 'No supimos si querías confirmar o cancelar el pago. No se hizo ningún cargo.',
  badFormAdvice: 'Abre otra vez el enlace del pago e inténtalo de nuevo.',
  notFound: 'Esta página no existe',
  notFoundMeaning: 'La dirección no corresponde a ningún pago.',
}

const en: Texts = {
  thousands: ',',
  decimal: '.',
  percent: '%',
  otherLanguage: 'Español',
  languageLabel: 'Ver esta página en español',
  sandbox: 'Sandbox',
  sandboxDetail: 'This is a sandbox: no real money moves here.',
  payAt: (merchant) => `Payment at ${merchant}`,
  amount: 'Purchase amount',
  order: 'Order',
  choose: 'Choose how many instalments',
  chosen: 'Your payment plan',
  chosenDetail: 'You chose it at the store.',
  plan: (count, each) => `${instalments(count)} of ${each}`,
  count: instalments,
  each: (amount) => `of ${amount}`,
  total: 'Total',
  cost: 'Cost',
  noCost: 'No cost',
  timeLeft: 'Time left to pay',
  announcements: {
    300: 'You have 5 minutes left to confirm the payment.',
    120: 'You have 2 minutes left to confirm the payment.',
    60: 'You have 1 minute left to confirm the payment.',
    30: 'You have 30 seconds left to confirm the payment.',
  },
  confirm: 'Confirm payment',
  confirmPlan: (count, each) => `Confirm ${instalments(count)} of ${each}`,
  working: 'Processing your payment…',
  cancel: 'Cancel and go back',
  terms: 'By confirming you accept the plan you chose.',
  returnsTo: (origin) => `Afterwards you return to ${origin}`,
  noOptions: 'There are no plans for this purchase.',
  noOptionsDetail: 'You can cancel and choose another way to pay at the store.',
  badOption: 'That plan is not available for this purchase. Choose one from the list.',
  timeIsUp: 'Time is up',
  timeIsUpDetail: 'This payment expired and nothing was charged. Go back to the store to start again.',
  outcomes: {
    paid: { title: 'Payment approved', detail: (merchant) => `Your purchase at ${merchant} is confirmed.` },
    rejected: {
      title: 'Payment declined',
      detail: (merchant) =>
        `We could not approve this payment. Nothing was charged; you can choose another way to pay at ${merchant}.`,
    },
    cancelled: {
      title: 'Payment cancelled',
      detail: (merchant) => `Nothing was charged. You can go back to ${merchant} whenever you like.`,
    },
  },
  planLabel: 'Plan',
  preApproval: 'Pre-approval',
  returning: (origin) => `Taking you to ${origin} in`,
  seconds: 's',
  returnNow: 'Return now',
  returnTo: (origin) => `Return to ${origin}`,
  embeddedEnd: 'You can carry on at the store.',
  problems: {
    missing: {
      title: 'There is no payment here',
      meaning: 'The address you came with does not carry the payment token (widgetToken).',
      advice: 'Go back to the store and start the payment again.',
    },
    forged: {
      title: 'We do not recognise this payment',
      meaning: 'The token in the address was not issued by this service, or it was altered.',
      advice: 'Do not enter any data. Go back to the store yourself and start the payment again.',
    },
    expired: {
      title: 'This payment expired',
      meaning: `Payments have to be confirmed within ${MINUTES} minutes. Nothing was charged.`,
      advice: 'Go back to the store and start the payment again.',
    },
    used: {
      title: 'This payment is already over',
      meaning: 'A token is good for one payment, and this one has been used.',
      advice: 'Check your purchase at the store before you pay again.',
    },
    'wrong-key': {
      title: 'The store does not match',
      meaning: 'The public key (publicKey) in the address is not that of the store that created this payment.',
      advice: 'Go back to the store and start the payment again. If it happens again, tell the store.',
    },
  },
  badRequest: 'We cannot open this payment',
  badRequestMeaning: 'The store sent us an incomplete or unsafe address:',
  badRequestAdvice: 'Go back to the store and tell them about this problem. Nothing was charged.',
  missingParameter: 'is missing.',
  unsafeAddress:
    'must be an absolute web address: https:// (http:// on this machine only), without user name, password or control characters. Received:',
  unsafeOrigin:
    'must be the https:// origin of the page that shows the widget (http:// on this machine only). Received:',
  badForm: 'The form arrived incomplete',
  badFormMeaning: 'We could not tell whether you wanted to confirm or cancel the payment. Nothing was charged.',
  badFormAdvice: 'Open the payment link again and retry.',
  notFound: 'This page does not exist',
  notFoundMeaning: 'The address does not belong to any payment.',
}

export const TEXTS: Record<Language, Texts> = { es, en }
