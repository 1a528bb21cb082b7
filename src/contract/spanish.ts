/**
 * The contract's own words in Spanish, by the English ones they stand for: what an endpoint does, what a status means there, what
 * to do next. A test holds that none is missing and none is left over.
 */
export const SPANISH: Readonly<Record<string, string>> = {
  'evaluate a customer': 'evaluar a un cliente',
  'report the option the customer selected': 'informar la opción que eligió el cliente',
  'create a widget token': 'crear un token de widget',
  'verify a transaction': 'verificar una transacción',
  'register a BNPL webhook destination': 'registrar un destino de webhooks BNPL',
  'register a real-estate webhook destination': 'registrar un destino de webhooks inmobiliario',
  'list webhook destinations': 'listar los destinos de webhooks',
  'delete a webhook destination': 'eliminar un destino de webhooks',
  'get a fresh link to an evaluation report': 'obtener un enlace nuevo a un informe de evaluación',
  'open a report from its urlInforme, without a key': 'abrir un informe desde su urlInforme, sin clave',
  'read the latest evaluation of a national id': 'leer la última evaluación de un RUT',
  'read the evaluation of a lead': 'leer la evaluación de un lead',
  'list leads': 'listar los leads',
  'read the details of a lead': 'leer los datos de un lead',

  'no loan for this transaction': 'no hay un crédito para esta transacción',
  'The customer may not have paid yet: `bnpl verify TRX --wait` waits for it.':
    'Quizás el cliente aún no paga: `bnpl verify TRX --wait` lo espera.',
  'the partner account lacks the module these events need (the evaluation module)':
    'a la cuenta le falta el módulo que estos eventos necesitan (el de evaluación)',
  'Ask your partner service to enable the evaluation module for this account.':
    'Pide a tu servicio que active el módulo de evaluación en esta cuenta.',
  'this partner cannot receive real-estate webhooks': 'esta cuenta no puede recibir webhooks inmobiliarios',
  'A BNPL partner registers with: bnpl webhooks add URL': 'Una cuenta BNPL se registra con: bnpl webhooks add URL',
  'a BNPL partner called the real-estate registration; it is refused whatever the events asked for, loan_approved included':
    'una cuenta BNPL llamó al registro inmobiliario; se rechaza sean cuales sean los eventos pedidos, también loan_approved',
  'no destination with this id': 'no hay un destino con este id',
  'See the ids with: bnpl webhooks list': 'Mira los ids con: bnpl webhooks list',
  'invalid or missing API key': 'la clave de API falta o no es válida',
  'Check the key of this profile: bnpl profiles show': 'Revisa la clave de este perfil: bnpl profiles show',
  'the pre-approval belongs to another partner': 'la preaprobación es de otra cuenta',
  'The key was accepted; use the profile of the partner that made this evaluation.':
    'La clave se aceptó; usa el perfil de la cuenta que hizo esta evaluación.',
  'the partner is inactive': 'la cuenta está inactiva',
  'Ask your partner service to activate the account.': 'Pide a tu servicio que active la cuenta.',
  'no pre-approval with this id': 'no hay una preaprobación con este id',
  'A preLoanRequestId is a different id and does not work here; use preApproveId (idPreAprobacion).':
    'Un preLoanRequestId es otro id y aquí no sirve; usa preApproveId (idPreAprobacion).',
  'rate limit exceeded': 'se superó el límite de llamadas',
  'the report is not available for now': 'el informe no está disponible por ahora',
  'Both causes pass by themselves as a rule: try again in a minute.':
    'Las dos causas suelen pasar solas: inténtalo de nuevo en un minuto.',
  'the report could not be rendered': 'el informe no se pudo generar',
  'the download link could not be signed': 'el enlace de descarga no se pudo firmar',
  'no evaluation for this national id': 'no hay una evaluación para este RUT',
  'no evaluation for this lead (it may not be finished)':
    'no hay una evaluación para este lead (quizás aún no termina)',
  'no lead with this id': 'no hay un lead con este id',

  'the service did not accept the request': 'el servicio no aceptó la solicitud',
  'the service did not accept the API key': 'el servicio no aceptó la clave de API',
  'the API key may not do this': 'la clave de API no puede hacer esto',
  'no such thing': 'no existe',
  'the service refused the request': 'el servicio rechazó la solicitud',
  'the service answered with a redirect, which is never followed':
    'el servicio respondió con una redirección, que nunca se sigue',
  'the service failed': 'el servicio falló',
}
