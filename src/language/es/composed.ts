import type { Catalogue } from '../packing.ts'

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

/** Failures of a call, which are printed with the code of the system. */
const FAILURES: Readonly<Record<string, string>> = {
  'nothing answers at this address': 'nadie responde en esta dirección',
  'the host name was not found': 'no se encontró el nombre de host',
  'the secure connection failed': 'falló la conexión segura',
  'the connection was cut off': 'la conexión se cortó',
  'no complete answer arrived in time': 'no llegó una respuesta completa a tiempo',
}

/** The texts that are not in our code as they are printed: those that are put together there, and those of the libraries for the command line. */
export const composed: Catalogue = {
  ...Object.fromEntries(
    Object.entries(NOUNS).flatMap(([noun, forms]) =>
      ['', 's'].map((plural) => [`{count} ${noun}${plural}`, `{count} {count:${forms}}`]),
    ),
  ),
  'or: {command}': 'o: {command}',
  'Cost %': 'Costo %',
  'No.': 'N.º',
  '{sum} in {count} installments': '{sum} en {count} {count:cuota|cuotas}',
  '{externalTrxId} is paid in {count} installments': '{externalTrxId} está pagada en {count} {count:cuota|cuotas}',
  'the payment of {externalTrxId} was rejected': 'el pago de {externalTrxId} fue rechazado',
  'gap {number}: {notShown}': 'vacío {number}: {notShown:text}',
  ...Object.fromEntries(
    Object.entries(FAILURES).flatMap(([failure, text]) => [
      [`${failure} ({code})`, `${text} ({code})`],
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
