import type { Catalogue } from '../patterns.ts'

/** The texts of the libraries that print help and read the command line. They are not in our code. */
export const commander: Catalogue = {
  'Usage:': 'Uso:',
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
