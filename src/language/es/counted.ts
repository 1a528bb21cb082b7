import type { Catalogue } from '../patterns.ts'

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

export const counted: Catalogue = Object.fromEntries(
  Object.entries(NOUNS).flatMap(([noun, forms]) =>
    ['', 's'].map((plural) => [`{count} ${noun}${plural}`, `{count} {count:${forms}}`]),
  ),
)
