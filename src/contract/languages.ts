import type { Call, StatusMeaning } from './calls/call.ts'
import { CALLS } from './calls/calls.ts'
import type { EndpointName } from './endpoints.ts'
import { GENERAL, type GeneralMeanings } from './statuses.ts'

/** The languages of the service's pages and of the contract's texts. The English texts are in the calls themselves. */
export const LANGUAGES = ['en', 'es'] as const

export type Language = (typeof LANGUAGES)[number]

/** Returns the requested language, or English if there are no texts in that language. */
export function languageOf(asked: string | undefined): Language {
  return LANGUAGES.find((language) => language === asked) ?? 'en'
}

type StatusWords<Status> = {
  readonly [Field in keyof Status & ('meaning' | 'hint' | 'codes')]: Status[Field] extends string
    ? string
    : Readonly<Record<keyof Status[Field], string>>
}

interface CallWords<Of extends Pick<Call, 'statuses'>> {
  readonly summary: string
  readonly statuses: { readonly [Status in keyof Of['statuses']]: StatusWords<Of['statuses'][Status]> }
}

interface ContractWords {
  readonly calls: { readonly [Name in EndpointName]: CallWords<(typeof CALLS)[Name]> }
  readonly general: { readonly [Kind in keyof typeof GENERAL]: StatusWords<(typeof GENERAL)[Kind]> }
}

/** The contract's texts in other languages. If a text is missing or superfluous, the program does not compile. */
export const WORDS: Readonly<Record<Exclude<Language, 'en'>, ContractWords>> = {
  es: {
    calls: {
      evaluate: { summary: 'evaluar a un cliente', statuses: {} },
      select: { summary: 'informar la opción que eligió el cliente', statuses: {} },
      startWidget: { summary: 'crear un token de widget', statuses: {} },
      verifyLoan: {
        summary: 'verificar una transacción',
        statuses: {
          404: {
            meaning: 'no hay un crédito para esta transacción',
            hint: 'Verifica de nuevo después del pago. Quizás el cliente aún no paga.',
          },
        },
      },
      cancelLoan: {
        summary: 'anular un crédito',
        statuses: { 404: { meaning: 'no hay un crédito para esta transacción' } },
      },
      registerWebhook: { summary: 'registrar un destino de webhooks BNPL', statuses: {} },
      subscribeWebhook: {
        summary: 'registrar un destino de webhooks inmobiliario',
        statuses: {
          403: {
            meaning: 'la cuenta no tiene el módulo de evaluación, que estos eventos necesitan',
            hint: 'Pide a tu servicio que active el módulo de evaluación en esta cuenta.',
          },
          422: {
            meaning: 'esta cuenta no puede recibir webhooks inmobiliarios',
            hint: 'Si la cuenta es BNPL, registra su destino con POST /partner/webhook.',
            codes: {
              ERR_PARTNER_PRODUCT_CANNOT_RECEIVE_WEBHOOKS:
                'una cuenta BNPL intentó registrar un destino inmobiliario; el registro se rechaza sea cual sea el evento que pida, incluso uno de BNPL',
            },
          },
        },
      },
      listWebhooks: { summary: 'listar los destinos de webhooks', statuses: {} },
      deleteWebhook: {
        summary: 'eliminar un destino de webhooks',
        statuses: {
          404: { meaning: 'no hay un destino con este id', hint: 'Lista los destinos para ver sus ids.' },
        },
      },
      getInforme: {
        summary: 'obtener un enlace nuevo a un informe de evaluación',
        statuses: {
          400: { meaning: 'la clave de API falta o no es válida', hint: 'Revisa la clave de API.' },
          401: {
            meaning: 'la pre-aprobación es de otra cuenta',
            hint: 'Usa la clave de la cuenta que hizo esta evaluación. La clave que se envió es válida.',
          },
          403: { meaning: 'la cuenta está inactiva', hint: 'Pide a tu servicio que active la cuenta.' },
          404: {
            meaning: 'no hay una pre-aprobación con este id',
            hint: 'Usa preApproveId (idPreAprobacion). Un preLoanRequestId es otro id y aquí no sirve.',
          },
          429: { meaning: 'se superó el límite de llamadas' },
          503: {
            meaning: 'el informe no está disponible por ahora',
            codes: {
              ERR_UNABLE_TO_RENDER_INFORME: 'el informe no se pudo generar',
              ERR_STORAGE_S3_PRESIGNED_GET: 'el enlace de descarga no se pudo firmar',
            },
            hint: 'Inténtalo de nuevo en un minuto, porque este fallo suele desaparecer solo.',
          },
        },
      },
      openInforme: { summary: 'abrir un informe por su enlace (urlInforme)', statuses: {} },
      evaluationByRut: {
        summary: 'leer la última evaluación de un RUT',
        statuses: { 404: { meaning: 'no hay una evaluación para este RUT' } },
      },
      evaluationByLead: {
        summary: 'leer la evaluación de un lead',
        statuses: { 404: { meaning: 'no hay un lead con este id, o su evaluación aún no termina' } },
      },
      listLeads: { summary: 'listar los leads', statuses: {} },
      addEntity: {
        summary: 'agregar una entidad',
        statuses: { 428: { meaning: 'ya existe: una entidad de la cuenta tiene este label o externalEntityId' } },
      },
      listEntities: { summary: 'listar las entidades de la cuenta', statuses: {} },
      setEntity: {
        summary: 'cambiar una entidad',
        statuses: { 404: { meaning: 'no hay una entidad con este id' } },
      },
      getLead: {
        summary: 'leer los datos de un lead',
        statuses: { 404: { meaning: 'no hay un lead con este id' } },
      },
    },
    general: {
      400: {
        meaning: 'el servicio no aceptó la solicitud',
        hint: 'Revisa la solicitud y después la clave de API: una clave incorrecta puede rechazarse con 400.',
      },
      invalid: { meaning: 'el servicio no aceptó la solicitud' },
      401: { meaning: 'el servicio no aceptó la clave de API', hint: 'Revisa la clave de API.' },
      403: { meaning: 'la clave de API no puede hacer esto', hint: 'Revisa la clave de API.' },
      404: { meaning: 'la ruta o el objeto no existe' },
      429: { meaning: 'se superó el límite de llamadas' },
      inactive: { meaning: 'la cuenta está inactiva', hint: 'Pide a tu servicio que active la cuenta.' },
      otherRefusal: { meaning: 'el servicio rechazó la solicitud' },
      redirect: { meaning: 'el servicio respondió con una redirección, que nunca se sigue' },
      failure: { meaning: 'el servicio falló' },
    },
  },
}

export function callIn(language: Language, name: EndpointName): Pick<Call, 'summary' | 'statuses'> {
  const { summary, statuses }: Call = CALLS[name]
  if (language === 'en') return { summary, statuses }
  const words = WORDS[language].calls[name]
  return { summary: words.summary, statuses: withWords(statuses, words.statuses) }
}

/** Returns the general texts about statuses, in a language. */
export function generalIn(language: Language): GeneralMeanings {
  return language === 'en' ? GENERAL : withWords(GENERAL, WORDS[language].general)
}

type Words = Pick<StatusMeaning, 'meaning' | 'hint' | 'codes'>

function withWords<Key extends string | number>(
  meanings: Readonly<Record<Key, StatusMeaning>>,
  words: Readonly<Partial<Record<Key, Words>>>,
): Record<Key, StatusMeaning> {
  const said = Object.entries<StatusMeaning>(meanings).map(([key, meaning]) => [
    key,
    { ...meaning, ...words[key as Key] },
  ])
  return Object.fromEntries(said) as Record<Key, StatusMeaning>
}
