import { WIDGET_TOKEN_LIFE_MS } from '../../contract/time-limits.ts'
import type { Texts } from './en.ts'
import { esWindow } from './es-window.ts'

const MINUTES = WIDGET_TOKEN_LIFE_MS / 60_000

const cuotas = (count: number): string => `${count}\u00a0cuota${count === 1 ? '' : 's'}`

export const es: Texts = {
  name: 'Español',
  locale: 'es-CL',
  readHere: 'Ver esta página en español',
  shop: {
    name: 'Tu tienda',
    walkthrough: 'Recorrido',
    title: 'De vuelta en la tienda',
    paid: 'La página de pago informa que el pago fue aprobado. El recorrido lo verifica ahora.',
    rejected: 'La página de pago informa que no se pagó: el pago fue rechazado o cancelado.',
    next: 'El recorrido continúa en la terminal. Puedes cerrar esta pestaña.',
  },
  page: {
    thousands: '.',
    decimal: ',',
    percent: '\u00a0%',
    sandbox: 'Pruebas',
    sandboxDetail: 'Entorno de pruebas: aquí no se mueve dinero real.',
    payAt: (merchant) => `Pago en ${merchant}`,
    amount: 'Monto de la compra',
    order: 'Orden',
    choose: 'Elige tus cuotas mensuales',
    chosen: 'Tu plan mensual',
    chosenDetail: 'Lo elegiste en la tienda.',
    plan: (count, each) => `${cuotas(count)} mensual${count === 1 ? '' : 'es'} de ${each}`,
    count: cuotas,
    aMonth: 'al\u00a0mes',
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
    confirmPlan: (count, each) => `Confirmar ${cuotas(count)} de\u00a0${each}`,
    working: 'Procesando tu pago…',
    cancel: 'Cancelar y volver',
    cancelling: 'Cancelando el pago…',
    terms: 'Al confirmar aceptas el plan elegido.',
    returnsTo: (origin) => `Al terminar volverás a ${origin}`,
    noOptions: 'No hay planes disponibles para esta compra',
    noOptionsDetail: 'Puedes cancelar y elegir otro medio de pago en la tienda.',
    badOption: 'Ese plan no está disponible para esta compra. Elige uno de la lista.',
    timeIsUp: 'Se acabó el tiempo',
    timeIsUpDetail: 'Este pago venció y no se hizo ningún cargo. Vuelve a la tienda para empezar de nuevo.',
    outcomes: {
      paid: { title: 'Pago aprobado', detail: (merchant) => `Tu compra en ${merchant} quedó confirmada.` },
      rejected: {
        title: 'Pago rechazado',
        detail: (merchant) =>
          `No pudimos aprobar este pago. No se hizo ningún cargo; puedes elegir otro medio de pago en ${merchant}.`,
      },
      cancelled: {
        title: 'Pago cancelado',
        detail: (merchant) => `No se hizo ningún cargo. Puedes volver a ${merchant} cuando quieras.`,
      },
    },
    planLabel: 'Plan',
    firstDueLabel: 'Primer vencimiento',
    preApproval: 'Referencia',
    returning: (origin) => `Te llevaremos a ${origin} en`,
    seconds: 's',
    returnNow: 'Volver ahora',
    stay: 'Quedarme en esta página',
    returnTo: (origin) => `Volver a ${origin}`,
    embeddedEnd: 'Ya puedes seguir en la tienda.',
    problems: {
      missing: {
        title: 'Aquí no hay ningún pago',
        meaning: 'La dirección no contiene el token del pago (widgetToken).',
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
        meaning: 'Cada token sirve para un solo pago, y este token ya se usó.',
        advice: 'Revisa el estado de tu compra en la tienda antes de pagar de nuevo.',
      },
      'wrong-key': {
        title: 'La tienda no coincide',
        meaning: 'La clave pública (publicKey) de la dirección no corresponde a la tienda que creó este pago.',
        advice: 'Vuelve a la tienda y empieza el pago otra vez. Si se repite, avísale a la tienda.',
      },
    },
    whatToDo: 'Qué puedes hacer',
    badRequest: 'No podemos abrir este pago',
    badRequestMeaning: 'La tienda nos envió una dirección incompleta o insegura:',
    badRequestAdvice: 'Vuelve a la tienda y avísale de este problema. No se hizo ningún cargo.',
    missingParameter: 'falta.',
    unsafeAddress:
      'debe ser una dirección web absoluta: https:// (http:// solo en este equipo), sin usuario, contraseña ni caracteres de control. Llegó:',
    unsafeOrigin:
      'debe ser el origen https:// de la página que muestra el widget (http:// solo en este equipo). Llegó:',
    badForm: 'El formulario llegó incompleto',
    badFormMeaning: 'No supimos si querías confirmar o cancelar el pago. No se hizo ningún cargo.',
    badFormAdvice: 'Abre otra vez el enlace del pago e inténtalo de nuevo.',
    notFound: 'Esta página no existe',
    notFoundMeaning: 'La dirección no corresponde a ningún pago.',
  },
  door: {
    noScript:
      'Esta página necesita JavaScript. Hay comandos que hacen lo mismo sin JavaScript. Para verlos, ejecuta bnpl sandbox --help.',
    closedTitle: 'La ventana del sandbox',
    closed:
      'La ventana muestra las claves y el tráfico de este sandbox, así que solo puede abrirla quien usa esta máquina.',
    how: 'Ejecuta esto en una terminal de la máquina donde corre el sandbox:',
    once: 'El comando abre la ventana o imprime un enlace de un solo uso. El acceso termina al detener el sandbox o tras 12 horas sin uso.',
    used: 'Ese enlace ya se usó, o es de una ejecución anterior del sandbox.',
  },
  window: esWindow,
}
