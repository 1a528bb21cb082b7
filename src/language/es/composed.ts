import type { Catalogue } from '../packing.ts'
import { domain } from './domain.ts'

/** The nouns that the code counts with `countOf`. */
const NOUNS: Readonly<Record<string, string>> = {
  attempt: 'intento|intentos',
  call: 'llamada|llamadas',
  cause: 'causa|causas',
  change: 'cambio|cambios',
  customer: 'cliente|clientes',
  day: 'día|días',
  difference: 'diferencia|diferencias',
  event: 'evento|eventos',
  exchange: 'intercambio|intercambios',
  fault: 'falla|fallas',
  finding: 'hallazgo|hallazgos',
  installment: 'cuota|cuotas',
  'known finding': 'hallazgo conocido|hallazgos conocidos',
  minute: 'minuto|minutos',
  'other call': 'llamada más|llamadas más',
  question: 'pregunta|preguntas',
  record: 'registro|registros',
  run: 'ejecución|ejecuciones',
  secret: 'secreto|secretos',
  'webhook destination': 'destino de webhooks|destinos de webhooks',
}

/** How many rows of a file ended so. */
const OUTCOMES: Readonly<Record<string, string>> = {
  ok: 'correcta|correctas',
  missing: 'sin crédito|sin crédito',
  different: 'distinta|distintas',
  rejected: 'rechazada|rechazadas',
  unknown: 'sin resultado conocido|sin resultado conocido',
}

/** What `verify` compares with a loan, with the article that it has in a sentence. */
const COMPARED: Readonly<Record<string, string>> = {
  amount: 'el monto',
  state: 'el estado',
  'number of installments': 'la cantidad de cuotas',
  'installment amount': 'el monto de la cuota',
  'last installment amount': 'el monto de la última cuota',
  'interest rate': 'la tasa de interés',
  'transfer date': 'la fecha de transferencia',
}

/** What a secret is called where its kind stands in the middle of a sentence. */
const SECRETS: Readonly<Record<string, string>> = {
  'API key': 'la clave de API',
  'webhook secret': 'el secreto de webhooks',
}

/** Why a text cannot be a key, where the key itself is named before. */
const MISTAKES_OF_KEYS = [
  'has quotes around it',
  'begins with the name of a variable and “=”',
  'begins with a name, as in NAME=…',
  'begins with “Bearer”',
  'begins with a word of a header, as in “Bearer …”',
  'begins or ends with a quote',
  'is not a secret, but what a program writes in place of a missing one',
  'contains a space, a line break or a character that is not ASCII',
]

/** Failures of a call, which are printed with the code of the system. */
const FAILURES: Readonly<Record<string, string>> = {
  'nothing answers at this address': 'nadie responde en esta dirección',
  'the host name was not found': 'no se encontró el nombre de host',
  'the secure connection failed': 'falló la conexión segura',
  'the connection was cut off': 'la conexión se cortó',
  'no complete answer arrived in time': 'no llegó una respuesta completa a tiempo',
}

/** When the orders of a shop were read. */
const MOMENTS: Readonly<Record<string, string>> = {
  'after the command had ended': 'después de que el comando terminó',
  'after --settle had ended': 'después de que --settle terminó',
  'before the customer had paid': 'antes de que el cliente pagara',
  'after --settle had run with this fault': 'después de que --settle se ejecutó con esta falla',
  'before the verification was answered': 'antes de que se respondiera la verificación',
  'before the cancellation was answered': 'antes de que se respondiera la anulación',
}

/** How a payment ended, which is printed with the code of its reason. */
const ENDS: Readonly<Record<string, string>> = {
  'the payment was rejected': 'el pago fue rechazado',
  'the customer cancelled the payment': 'el cliente canceló el pago',
  'the link expired before the customer paid': 'el enlace venció antes de que el cliente pagara',
}

/** Names that tables and sums show as words: of checks, of outcomes of rows, and of what is in the sandbox. */
const WORDS: Readonly<Record<string, string>> = {
  accepted: 'se acepta',
  all: 'todas',
  and: 'y',
  call: 'llamada',
  certificate: 'certificado',
  clock: 'reloj',
  currency: 'moneda',
  customer: 'cliente',
  database: 'base de datos',
  default: 'por defecto',
  delivered: 'entregado',
  deleted: 'eliminado',
  delivery: 'entrega',
  destination: 'destino',
  destinations: 'destinos',
  Different: 'Distintas',
  entity: 'entidad',
  evaluation: 'evaluación',
  event: 'evento',
  Failed: 'Fallidas',
  failed: 'falló',
  fault: 'falla',
  loan: 'crédito',
  Missing: 'Sin crédito',
  Ok: 'Correctas',
  or: 'o',
  page: 'página',
  pending: 'pendiente',
  profile: 'perfil',
  reachable: 'conexión',
  registration: 'registro',
  Rejected: 'Rechazadas',
  report: 'informe',
  runtime: 'versión de Node',
  saved: 'guardado',
  stored: 'guardado',
  selection: 'elección',
  sending: 'en envío',
  settings: 'configuración',
  Unknown: 'Sin resultado conocido',
  versioning: 'versiones',
  ending: 'terminando',
  inactive: 'inactiva',
  secret: 'secreto',
  testing: 'probando',
  waiting: 'en espera',
  yes: 'sí',
}

/** The texts that are not in our code as they are printed: those that are put together there, and those of the libraries for the command line. */
export const composed: Catalogue = {
  'several pages': 'varias páginas',
  'one page': 'una página',
  'an example': 'un ejemplo',
  inferred: 'inferido',
  ...Object.fromEntries(
    Object.entries(NOUNS).flatMap(([noun, forms]) =>
      ['', 's'].map((plural) => [`{count} ${noun}${plural}`, `{count} {count:${forms}}`]),
    ),
  ),
  ...WORDS,
  ...Object.fromEntries(
    Object.entries(OUTCOMES).flatMap(([outcome, forms]) => [
      [`{count} ${outcome}`, `{count} {count:${forms}}`],
      [`{count} ${outcome} ({differences})`, `{count} {count:${forms}} ({differences:list})`],
    ]),
  ),
  '{count} with an unexpected {words}': '{count} {count:con|con} un valor no esperado: {words:text}',
  '{count} in an unexpected state': '{count} {count:en|en} un estado no esperado',
  'or: {command}': 'o: {command}',
  '{count} fault removed': '{count} falla quitada',
  '{count} faults removed': '{count} {count:falla quitada|fallas quitadas}',
  '{count} event deleted': '{count} evento borrado',
  '{count} events deleted': '{count} {count:evento borrado|eventos borrados}',
  'all after {calls}': 'todas, después de {calls:text}',
  'the next after {calls}': 'la próxima, después de {calls:text}',
  'the next {times} after {calls}': 'las próximas {times}, después de {calls:text}',
  '{used} of {limit} destinations used.': '{used} de {limit} destinos en uso.',
  'No destinations.': 'No hay destinos.',
  'No destinations. {used} of {limit} destinations used': 'No hay destinos. {used} de {limit} destinos en uso',
  'Compared with the loan: nothing.': 'No se compara nada con el crédito.',
  'The run only checks that a loan exists.': 'La ejecución solo comprueba que existe un crédito.',
  'could not verify a transaction: no loan for this transaction ({status}, with nothing in `data`)':
    'no se pudo verificar una transacción: no hay crédito para esta transacción ({status}, sin nada en `data`)',
  // The steps of a download, which are not calls of the contract.
  'the link is not accepted': 'el enlace no se acepta',
  'the link has expired or is incomplete': 'el enlace venció o está incompleto',
  'the link is for a report that does not exist': 'el enlace es de un informe que no existe',
  'the link has expired': 'el enlace venció',
  'only part of the report was sent': 'solo se envió una parte del informe',
  'download the report': 'descargar el informe',
  '{seen}, not {wanted}': '{seen:text}, no {wanted:text}',
  '{place}: {seen}, not {wanted}': '{place}: {seen:text}, no {wanted:text}',
  '{place}: missing': '{place}: falta',
  '{count} exchange was recorded in {file}.': 'Se grabó {count} intercambio en {file}.',
  '{count} exchanges were recorded in {file}.': 'Se grabaron {count} intercambios en {file}.',
  '{count} delivery was recorded in {file}.': 'Se grabó {count} entrega en {file}.',
  '{count} deliveries were recorded in {file}.': 'Se grabaron {count} entregas en {file}.',
  '{exchanges} and {deliveries} were recorded in {file}.':
    'Se grabaron {exchanges:text} y {deliveries:text} en {file}.',
  'Nothing was recorded in {file}.': 'No se grabó nada en {file}.',
  '{count} delivery': '{count} entrega',
  This: 'Esto',
  'you answered no': 'respondiste que no',
  '{count} deliveries': '{count} entregas',
  'and {count} more (the last line of the file lists them)': 'y {count} más (la última línea del archivo los muestra)',
  '{field} (a delivery)': '{field} (una entrega)',
  'Not compared: {columns}.': 'No se compara: {columns:names}.',
  '{burst} calls at once, then {rate}, for each {part}; left: {left}':
    '{burst} llamadas de una vez, luego {rate:text}, por cada {part:text}; quedan: {left:list}',
  '{left} for {call}': '{left} {left:para|para} {call}',
  '{numbers} (--json shows all)': '{numbers:names} (--json muestra todo)',
  'Not used: {columns}.': 'No se usa: {columns:names}.',
  ...Object.fromEntries(
    Object.entries(COMPARED).flatMap(([words, text]) => [
      [words, text.replace(/^(el|la) /, '')],
      [`${words} of {trx} is {got}, expected {wanted}`, `${text} de {trx} es {got}, se esperaba {wanted}`],
      [
        `${words} of {trx} is {got}, expected {wanted} (only upper and lower case differ)`,
        `${text} de {trx} es {got}, se esperaba {wanted} (solo difieren mayúsculas y minúsculas)`,
      ],
      [
        `end with exit code 10 unless the loan has this ${words}`,
        `termina con el código de salida 10 si ${text} del crédito no es el valor dado`,
      ],
    ]),
  ),
  'request form {name}': '{name} en el formulario de la solicitud',
  'request json {name}': '{name} en el JSON de la solicitud',
  nothing: 'nada',
  'not-found': 'sin crédito',
  'the customer chooses on the payment page': 'el cliente elige en la página de pago',
  '--out - prints the PDF itself, so no other output format can be used':
    '--out - imprime el propio PDF, así que no se puede usar otro formato de salida',
  'http: is only accepted for this machine (loopback); use https:': 'http: se acepta solo para este equipo; usa https:',
  'http: is only accepted for this machine (localhost, 127.0.0.1, [::1]); use https:':
    'http: se acepta solo para este equipo (localhost, 127.0.0.1, [::1]); usa https:',
  // The report of `bnpl sandbox torture`.
  '{least} to {most} runs': 'de {least} a {most} ejecuciones',
  '{tried}, {found}, {missed} not reached': '{tried:text}, {found:text}, {missed:text} sin llegar',
  '{count} finding in {runs}: {names}': '{count} hallazgo en {runs:text}: {names}',
  '{count} findings in {runs}: {names}': '{count} hallazgos en {runs:text}: {names}',
  'at {place}: {does}': 'en {place}: {does:text}',
  '{does}, and no event is delivered until the test has ended':
    '{does:text}, y no se entrega ningún evento hasta que la prueba termina',
  '--run {id}, with the other options as above': '--run {id}, con las otras opciones de arriba',
  '{place} answered {status}': '{place} respondió {status}',
  '{place} no answer': '{place} sin respuesta',
  ...Object.fromEntries(Object.entries(MOMENTS).map(([when, text]) => [`${when}, {seen}`, `${text}, {seen:text}`])),
  broken: 'invariante',
  expected: 'esperado',
  seen: 'visto',
  calls: 'llamadas',
  again: 'repetir',
  there: 'ahí',
  '“': '«',
  '”': '»',
  ...Object.fromEntries(Object.entries(ENDS).map(([end, text]) => [`${end} ({reason})`, `${text} ({reason})`])),
  text: 'texto',
  missing: 'falta',
  no: 'no',
  none: 'no hay',
  ...Object.fromEntries(
    Object.entries(SECRETS).flatMap(([secret, text]) => [
      [`read the ${secret} from stdin`, `lee ${text} de stdin`],
      [`read the ${secret} from a file`, `lee ${text} de un archivo`],
      [
        `the ${secret} is missing, and this run cannot ask for it`,
        `falta ${text}, y esta ejecución no puede preguntar`,
      ],
      [`the given ${secret} {reason}`, `${text} que diste {reason:text}`],
      [`the given ${secret}`, `${text} que diste`],
      [
        `${secret} (your input is not shown)`,
        `${text.charAt(3).toUpperCase()}${text.slice(4)} (lo que escribes no se muestra)`,
      ],
    ]),
  ),
  ...Object.fromEntries(MISTAKES_OF_KEYS.map((mistake) => [`it ${mistake}`, domain[mistake] ?? ''])),
  // The place of a mistake, as V8 names it.
  '(line {line} column {column})': '(línea {line}, columna {column})',
  'the webhook secret from {source} is not UTF-8 text': 'el secreto de webhooks ({source:text}) no es texto UTF-8',
  'the webhook secret from {source} has a line with a space inside':
    'el secreto de webhooks ({source:text}) tiene una línea con un espacio',
  'Find out what happened: {command}': 'Averigua qué pasó: {command}',
  '400 `ERR_UNAUTHORIZED`, 401 `ERR_PRE_APPROVAL_OF_ANOTHER_PARTNER`, 403 `ERR_PARTNER_INACTIVE`, and 404 `ERR_PRE_APPROVAL_NOT_FOUND`':
    '400 `ERR_UNAUTHORIZED`, 401 `ERR_PRE_APPROVAL_OF_ANOTHER_PARTNER`, 403 `ERR_PARTNER_INACTIVE` y 404 `ERR_PRE_APPROVAL_NOT_FOUND`',
  '{count} registered; {odd}': '{count} {count:registrado|registrados}; {odd:text}',
  'The service would refuse these rows again. The message of each row says why.':
    'El servicio rechazaría estas filas otra vez. El mensaje de cada fila dice por qué.',
  'Find out what happened: bnpl evaluations get --rut …{end}, or ask the support about {externalTrxId}':
    'Averigua qué pasó: bnpl evaluations get --rut …{end}, o pregunta al soporte por {externalTrxId}',
  'After the customer has paid, find out what happened: bnpl verify {externalTrxId}':
    'Cuando el cliente haya pagado, averigua qué pasó: bnpl verify {externalTrxId}',
  'could not {summary}: {status}, but the service may have carried out the call; checking whether the destination was registered':
    'no se pudo {summary:text}: {status}, pero el servicio puede haber realizado la llamada; se comprueba si el destino se registró',
  "command-argument value '{value}' is invalid for argument '{name}'. Allowed choices are {choices}.":
    'el valor «{value}» del argumento «{name}» no es válido. Los valores son {choices}.',
  'Cost %': 'Costo %',
  'No.': 'N.º',
  '{sum} in {count} installments': '{sum} en {count} {count:cuota|cuotas}',
  '{sum} in {count} installment': '{sum} en {count} cuota',
  '{externalTrxId} is paid in {count} installments': '{externalTrxId} está pagada en {count} {count:cuota|cuotas}',
  '{externalTrxId} is paid in {count} installment': '{externalTrxId} está pagada en {count} cuota',
  'the payment of {externalTrxId} was rejected': 'el pago de {externalTrxId} fue rechazado',
  'gap {number}: {notShown}': 'vacío {number}: {notShown:text}',
  'Repeat the call, if it is safe to repeat.': 'Repite la llamada, si se puede repetir sin riesgo.',
  'Repeat the call, if it is safe to repeat, and allow more time.':
    'Repite la llamada con más tiempo, si se puede repetir sin riesgo.',
  ...Object.fromEntries(
    Object.entries(FAILURES).flatMap(([failure, text]) => [
      [`${failure} ({code})`, `${text} ({code})`],
      [`{where}: ${failure}`, `{where}: ${text}`],
      [`{where}: ${failure} ({code})`, `{where}: ${text} ({code})`],
      [
        `{event} {eventId} could not be delivered to {host}: ${failure}`,
        `{event} {eventId} no se pudo entregar a {host}: ${text}`,
      ],
      [
        `{event} {eventId} could not be delivered to {host}: ${failure} ({code})`,
        `{event} {eventId} no se pudo entregar a {host}: ${text} ({code})`,
      ],
      [
        `{event} {eventId} was sent to {host} but not answered: ${failure}; the receiver may have accepted it`,
        `{event} {eventId} se envió a {host} pero no hubo respuesta: ${text}; el receptor puede haberlo aceptado`,
      ],
      [`could not {summary}: {where}: ${failure}`, `no se pudo {summary:text}: {where}: ${text}`],
      [`could not {summary}: {where}: ${failure} ({code})`, `no se pudo {summary:text}: {where}: ${text} ({code})`],
    ]),
  ),
  '.SH NAME': '.SH NOMBRE',
  '.SH DESCRIPTION': '.SH DESCRIPCIÓN',
  'User Commands': 'Órdenes de usuario',
  'Usage:': 'Uso:',
  '[options]': '[opciones]',
  '[command]': '[comando]',
  '<command>': '<comando>',
  'Options:': 'Opciones:',
  'Arguments:': 'Argumentos:',
  'Commands:': 'Comandos:',
  'Global Options:': 'Opciones globales:',
  'display help for command': 'muestra la ayuda del comando',
  navigate: 'moverse',
  select: 'elegir',
  'toggle visibility': 'mostrar u ocultar',
  'Y/n': 'S/n',
  'y/N': 's/N',
  'choices:': 'valores:',
  'default:': 'por defecto:',
  "unknown command '{word}'": 'el comando «{word}» no existe',
  "unknown command '{word}' (Did you mean {meant}?)": 'el comando «{word}» no existe (¿quizás {meant}?)',
  "unknown command '{word}' (Did you mean one of {meant}?)": 'el comando «{word}» no existe (¿quizás {meant}?)',
  'unknown command': 'el comando no existe',
  "unknown option '{word}'": 'la opción «{word}» no existe',
  "unknown option '{word}' (Did you mean {meant}?)": 'la opción «{word}» no existe (¿quizás {meant}?)',
  "unknown option '{word}' (Did you mean one of {meant}?)": 'la opción «{word}» no existe (¿quizás {meant}?)',
  'unknown option': 'la opción no existe',
  "missing required argument '{name}'": 'falta el argumento «{name}»',
  "required option '{flags}' not specified": 'falta la opción «{flags}»',
  "option '{flags}' argument missing": 'falta el valor de la opción «{flags}»',
  "option '{flags}' argument '{value}' is invalid. Allowed choices are {choices}.":
    'el valor «{value}» de la opción «{flags}» no es válido. Los valores son {choices}.',
  "option '{flags}' cannot be used with option '{other}'":
    'la opción «{flags}» no se puede usar con la opción «{other}»',
  'too many arguments. Expected {expected} arguments but got {got}':
    'sobran argumentos: se esperaban {expected} y hay {got}',
  'too many arguments. Expected {expected} argument but got {got}':
    'sobran argumentos: se esperaba {expected} y hay {got}',
  "too many arguments for '{command}'. Expected {expected} arguments but got {got}":
    'sobran argumentos para «{command}»: se esperaban {expected} y hay {got}',
  "too many arguments for '{command}'. Expected {expected} argument but got {got}":
    'sobran argumentos para «{command}»: se esperaba {expected} y hay {got}',
}
