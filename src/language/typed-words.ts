/** Spanish words that people type where a command or a code is expected. The accents are left out. */

/** The commands that are meant, by the words after the group: `pago` is a command of bnpl, `webhooks listar` one of webhooks. */
const COMMANDS: Readonly<Record<string, string>> = {
  ayuda: 'bnpl help',
  pago: 'bnpl pay-url',
  pagar: 'bnpl pay-url',
  cobrar: 'bnpl pay-url',
  evaluar: 'bnpl evaluate --rut RUT --amount N',
  evaluacion: 'bnpl evaluations get --rut RUT',
  evaluaciones: 'bnpl evaluations get --rut RUT',
  preaprobacion: 'bnpl evaluate --rut RUT --amount N',
  cuotas: 'bnpl select --installments N',
  elegir: 'bnpl select --installments N',
  seleccionar: 'bnpl select --installments N',
  verificar: 'bnpl verify TRX',
  verificacion: 'bnpl verify TRX',
  consultar: 'bnpl verify TRX',
  anular: 'bnpl cancel TRX',
  anulacion: 'bnpl cancel TRX',
  cancelar: 'bnpl cancel TRX',
  devolucion: 'bnpl cancel TRX',
  devolver: 'bnpl cancel TRX',
  reembolsar: 'bnpl cancel TRX',
  reembolso: 'bnpl cancel TRX',
  reversar: 'bnpl cancel TRX',
  informes: 'bnpl informe get ID',
  reporte: 'bnpl informe get ID',
  entidad: 'bnpl entities list',
  entidades: 'bnpl entities list',
  sucursales: 'bnpl entities list',
  perfil: 'bnpl profiles show',
  perfiles: 'bnpl profiles list',
  cuenta: 'bnpl profiles show',
  configurar: 'bnpl profiles add NAME',
  configuracion: 'bnpl profiles show',
  clave: 'bnpl profiles set-key',
  historial: 'bnpl history',
  historia: 'bnpl history',
  transacciones: 'bnpl history',
  diagnostico: 'bnpl doctor',
  estado: 'bnpl doctor',
  revisar: 'bnpl doctor',
  explicar: 'bnpl explain CODE',
  error: 'bnpl explain CODE',
  errores: 'bnpl explain',
  rechazado: 'bnpl explain refused',
  rechazada: 'bnpl explain refused',
  rechazo: 'bnpl explain refused',
  aprobado: 'bnpl help verify',
  contrato: 'bnpl contract check FILE',
  especificacion: 'bnpl contract gaps',
  escuchar: 'bnpl webhooks listen',
  recibir: 'bnpl webhooks listen',
  eventos: 'bnpl webhooks events',
  destinos: 'bnpl webhooks list',
  firma: 'bnpl webhooks verify-signature',
  entregas: 'bnpl sandbox deliveries',
  solicitudes: 'bnpl sandbox requests',
  clientes: 'bnpl sandbox customers',
  iniciar: 'bnpl sandbox start',
  ventana: 'bnpl sandbox open',
  simular: 'bnpl sandbox start',
  fallas: 'bnpl sandbox fault kinds',
  prueba: 'bnpl smoke',
  probar: 'bnpl walkthrough -p sandbox',
  recorrido: 'bnpl walkthrough -p sandbox',
  demo: 'bnpl walkthrough -p sandbox',
  completar: 'bnpl completion bash',
  grabar: 'bnpl proxy',
  'webhooks agregar': 'bnpl webhooks add URL',
  'webhooks crear': 'bnpl webhooks add URL',
  'webhooks registrar': 'bnpl webhooks add URL',
  'webhooks escuchar': 'bnpl webhooks listen',
  'webhooks listar': 'bnpl webhooks list',
  'webhooks eliminar': 'bnpl webhooks rm ID',
  'webhooks borrar': 'bnpl webhooks rm ID',
  'webhooks eventos': 'bnpl webhooks events',
  'webhooks probar': 'bnpl webhooks test URL',
  'profiles agregar': 'bnpl profiles add NAME',
  'profiles crear': 'bnpl profiles add NAME',
  'profiles eliminar': 'bnpl profiles rm NAME',
  'profiles borrar': 'bnpl profiles rm NAME',
  'profiles listar': 'bnpl profiles list',
  'profiles usar': 'bnpl profiles use NAME',
  'profiles mostrar': 'bnpl profiles show',
  'sandbox iniciar': 'bnpl sandbox start',
  'sandbox pagar': 'bnpl sandbox pay TRX',
  'sandbox clientes': 'bnpl sandbox customers',
  'sandbox entregas': 'bnpl sandbox deliveries',
  'sandbox estado': 'bnpl sandbox status',
  'sandbox ventana': 'bnpl sandbox open',
  'history borrar': 'bnpl history rm TRX',
  'history listar': 'bnpl history list',
}

/** The kinds of errors that are meant, for `bnpl explain`. */
const CODES: Readonly<Record<string, string>> = {
  rechazado: 'refused',
  rechazada: 'refused',
  rechazo: 'refused',
  exito: 'success',
  uso: 'usage',
  configuracion: 'config',
  clave: 'auth',
  'sin permiso': 'auth',
  'no encontrado': 'not-found',
  'no existe': 'not-found',
  limite: 'rate-limited',
  servicio: 'service',
  red: 'network',
  conexion: 'network',
  verificacion: 'check-failed',
  parcial: 'partial',
  desconocido: 'outcome-unknown',
  salida: 'output',
}

/** Every command that a Spanish word stands for. */
export const MEANT_IN_SPANISH: readonly string[] = [...new Set(Object.values(COMMANDS))]

/**
 * Returns the command that a Spanish word stands for; undefined for any other word.
 * @param named the command line up to the word, such as `bnpl webhooks`
 */
export function commandMeant(named: string, word: string): string | undefined {
  return own(COMMANDS, `${named} ${word}`.replace(/^bnpl /, ''))
}

/** Returns the kind of error that a Spanish word stands for; undefined for any other word. */
export const codeMeant = (word: string): string | undefined => own(CODES, word.replace(/[-_]/g, ' '))

function own(table: Readonly<Record<string, string>>, typed: string): string | undefined {
  const word = typed.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return Object.hasOwn(table, word) ? table[word] : undefined
}
