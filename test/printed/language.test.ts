import { globSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { humanTexts, shapeOf } from '../../scripts/texts.ts'
import { helpTextsOf } from '../../src/cli/manual.ts'
import { createProgram, loadAll } from '../../src/cli.ts'
import { COMMANDS } from '../../src/commands/commands.ts'
import { EXPECTATIONS } from '../../src/commands/expectations.ts'
import type { World } from '../../src/context.ts'
import { es } from '../../src/language/es/es.ts'
import { type Catalogue, catalogueFile, packed, textsIn } from '../../src/language/packing.ts'
import { inCatalogue } from '../../src/language/patterns.ts'
import { RULES } from '../../src/torture/causes.ts'
import { temporaryFolder } from '../kit/built-program.ts'
import { ROOT, readSources } from '../kit/source-graph.ts'

const files = await Promise.all(
  globSync('src/language/es/*.ts', { cwd: ROOT })
    .filter((path) => !['es.ts', 'words.ts'].includes(basename(path)))
    .sort()
    .map(async (path) => {
      const { [basename(path, '.ts')]: texts } = await import(pathToFileURL(join(ROOT, path)).href)
      return { path, texts: texts as Catalogue }
    }),
)
const entries = files.flatMap(({ path, texts }) => Object.entries(texts).map(([key, text]) => ({ path, key, text })))
const NAMES = new Set(COMMANDS.map(({ name }) => `bnpl ${name}`))
const namesIn = (text: string) => [...text.matchAll(/\{([a-z]\w*)(?::[^{}]*)?\}/gi)].map(([, name]) => name)

describe('the Spanish catalogue', () => {
  test('contains only texts that are in the code; composed.ts has those that are put together, or of libraries', () => {
    const said = new Set(humanTexts().map(({ text }) => shapeOf(text)))
    const unused = entries.filter(({ path, key }) => !path.endsWith('composed.ts') && !said.has(shapeOf(key)))
    expect(unused.map(({ path, key }) => `${path}: ${key}`)).toEqual([])
  })

  test('has each noun that the code counts', () => {
    const nouns = readSources('src/**/*.ts').flatMap(({ text }) =>
      [...text.matchAll(/countOf\([^\n]*, '([a-z ]+)'\)/g)].map(([, noun]) => noun ?? ''),
    )
    expect(nouns.filter((noun) => !Object.hasOwn(es, `{count} ${noun}s`))).toEqual([])
  })

  test('has what verify compares with a loan, with its article', () => {
    const sentence = (words: string) => `${words} of {trx} is {got}, expected {wanted}`
    expect(EXPECTATIONS.filter(({ words }) => !Object.hasOwn(es, sentence(words)))).toEqual([])
  })

  test('contains every text for people in the code; a text that is missing is listed with its place', () => {
    const known = new Set(Object.keys(es).map(shapeOf))
    const missing = humanTexts().filter(({ text }) => !known.has(shapeOf(text)))
    expect(missing.map(({ text, place, room }) => `${place}: not in src/language/es/${room}.ts: ${text}`)).toEqual([])
  })

  test('has each text only once', () => {
    const first = new Map<string, string>()
    const twice = entries.filter(({ path, key }) => {
      const before = first.get(shapeOf(key))
      first.set(shapeOf(key), path)
      return before !== undefined
    })
    expect(twice.map(({ path, key }) => `${path}: ${key}`)).toEqual([])
  })

  test('translates each value that is a text itself, such as “3 installments” or one of two words', () => {
    const textOf = new Map(entries.map(({ key, text }) => [shapeOf(key), { key, text }]))
    const wrong = humanTexts().flatMap(({ text: said, counted, place }) => {
      const { key = '', text = '' } = textOf.get(shapeOf(said)) ?? {}
      const [names, own] = [namesIn(said), namesIn(key)]
      const left = counted.filter((name) => text.includes(`{${own[names.indexOf(name)]}}`))
      return left.map((name) => `${place}: {${name}} of “${said}” in “${text}”`)
    })
    expect(wrong).toEqual([])
  })

  test('has a Spanish text for each text, with no other values than the English text has', () => {
    const wrong = entries.filter(
      ({ key, text }) => text.trim() === '' || namesIn(text).some((name) => !namesIn(key).includes(name)),
    )
    expect(wrong.map(({ path, key, text }) => `${path}: ${key} → ${text}`)).toEqual([])
  })

  test('writes commands, options, variables and codes as they are in English', () => {
    const fixed = (text: string) =>
      [...text.matchAll(/`?(?<![\w-])(bnpl(?: [a-z-]+)*[a-z]|--[a-z][a-z-]+|[A-Z]{2,}_[A-Z0-9_]+)/g)].map(([, word]) =>
        String(word).replace(/^(bnpl \S+).*/, '$1'),
      )
    const wrong = entries
      .filter(({ path }) => !path.endsWith('composed.ts'))
      .flatMap(({ path, key, text }) =>
        fixed(key)
          .filter((word) => !word.startsWith('bnpl') || NAMES.has(word))
          .filter((word) => !text.includes(word))
          .map((word) => `${path}: ${word} is not in “${text}”`),
      )
    expect(wrong).toEqual([])
  })

  test.each([
    [/\btokens?\b/i, /token/i],
    [/\blinks?\b/i, /enlace|vínculo|link/i],
    [/\bprofiles?\b/i, /perfil|profile/i],
    [/\bloans?\b/, /crédito|loan/i],
    [/\bwebhook destinations?\b/, /destino/i],
  ])('writes %s by its own word, not by that of a related thing', (english, spanish) => {
    const other = entries.filter(({ key, text }) => english.test(key) && !spanish.test(text))
    expect(other.map(({ path, key }) => `${path}: ${key}`)).toEqual([])
  })

  test('has as many backslashes in each text as its English text', () => {
    const count = (text: string) => text.split('\\').length - 1
    expect(Object.entries(es).filter(([key, text]) => count(key) !== count(text))).toEqual([])
  })

  test('has the advice of the torture as it is printed, without the marks of Markdown', () => {
    const said = Object.values(RULES).filter(({ must }) => Object.hasOwn(es, must))
    expect(said.map(({ must }) => must.replaceAll('`', '')).filter((text) => !Object.hasOwn(es, text))).toEqual([])
    expect(said).not.toEqual([])
  })

  test('says what a command does in its description, and what the user does in an example: no English text is both', async () => {
    const world = { io: {}, env: {}, version: '1' } as World
    const written: string[] = []
    const program = createProgram(world, (text) => written.push(text))
    const pages = await helpTextsOf(
      program,
      () => loadAll(program, world),
      () => written.splice(0).join(''),
    )
    const descriptions = Object.values(pages).map((page) => page.split('\n\n')[1]?.replaceAll('\n', ' '))
    const shown = Object.values(pages).flatMap((page) => [...page.matchAll(/^ {2}# (.*)$/gm)].map(([, text]) => text))
    expect(shown.length).toBeGreaterThan(90)
    expect(shown.filter((text) => descriptions.includes(text))).toEqual([])
  })

  test('has no value whose form cannot be read', () => {
    const bracesOf = (text: string) => text.replace(/\{[a-z]\w*(?::[^{}]+)?\}/gi, '').replace(/[^{}]/g, '')
    expect(Object.entries(es).filter(([key, text]) => bracesOf(key) !== bracesOf(text))).toEqual([])
  })
})

describe('a packed catalogue', () => {
  test('that was cut off leaves the texts that it lacks in English, and a file that is not whole leaves all', () => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'es.txt')
    const whole = packed(es)
    const english = Object.keys(es)
    for (const share of [0.001, 0.2, 0.5, 0.9, 1]) {
      const part = whole.slice(0, whole.length * share)
      writeFileSync(path, part, 'latin1')
      const words = inCatalogue(part, 'es')
      const fromFile = inCatalogue(catalogueFile(path), 'es')
      const found = english.map((text) => words(text))
      const left = found.filter((text, i) => text === english[i]).length
      if (share < 1) expect(left).toBeGreaterThan(english.length * (1 - share) * 0.5)
      else expect(left).toBeLessThan(english.length * 0.05)
      expect(english.map((text) => fromFile(text))).toEqual(share < 1 ? english : found)
    }
    writeFileSync(path, whole.replaceAll('\n', '\r\n'), 'latin1')
    expect(english.map(inCatalogue(catalogueFile(path), 'es'))).toEqual(english)
    expect(english.map(inCatalogue(catalogueFile(join(folder.path, 'no-such')), 'es'))).toEqual(english)
  })

  test('is read as a whole when the program waits, so that an update of the package changes no text', async () => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'es.txt')
    writeFileSync(path, packed(es), 'latin1')
    const words = inCatalogue(catalogueFile(path), 'es')
    const english = Object.keys(es)
    expect(words(english[0] ?? '')).toBe(es[english[0] ?? ''])
    await new Promise((resolve) => setImmediate(resolve))
    writeFileSync(path, 'another version')
    expect(english.map((text) => words(text))).toEqual(english.map(inCatalogue(packed(es), 'es')))
  })

  test('has no English text without values, and gives each text for its English text only', () => {
    const { groupsFor, textFor, patternsIn } = textsIn(packed(es))
    const plain = Object.entries(es).filter(([english]) => namesIn(english).length === 0)
    expect(plain.filter(([english, text]) => textFor(english) !== text)).toEqual([])
    expect(plain.filter(([english]) => textFor(`${english} `) !== undefined)).toEqual([])
    const others = Object.keys(es).filter((english) => namesIn(english).length > 0)
    const shape = (english: string) => english.replace(/\{[a-z]\w*\}/gi, '{}')
    const found = (english: string) => [...groupsFor(english.replaceAll('{}', 'x'))].flatMap(patternsIn)
    expect(others.map(shape).filter((text) => !found(text).some(([english]) => english === text))).toEqual([])
  })

  test('is refused if two English texts have the same digest, or a text with values has empty braces', () => {
    // Two texts of this form that have the same digest.
    const [one, other] = ['text 64791', 'text 68607']
    expect(() => packed({ [one]: 'uno', [other]: 'dos' })).toThrow('the same digest')
    expect(() => packed({ 'for {name} in {}': 'para {name} en {}' })).toThrow('may not contain {}')
  })
})

describe('a number in a Spanish text', () => {
  const words = inCatalogue(packed(es), 'es')

  test.each([
    ['1 of 3 rows failed', 'falló 1 de 3 filas'],
    ['2 of 3 rows failed', 'fallaron 2 de 3 filas'],
    ['1 of 1 rows are not as expected: 1 missing', '1 de 1 fila no es lo esperado: 1 sin crédito'],
    ['Cancel the loans of 1 rows?', '¿Anular el crédito de 1 fila?'],
    ['Cancel the loans of 1.200 rows?', '¿Anular los créditos de 1.200 filas?'],
    [
      'Interrupted: 1 of 3 rows are done, 1 failed, 1 were not sent. Continue with the same command and --resume.',
      'Interrumpida: 1 de 3 filas está hecha, 1 falló, 1 no se envió. Sigue con el mismo comando y --resume.',
    ],
    ['you answered no; nothing was done', 'respondiste que no; no se hizo nada'],
    ['1.010 in 1 installment', '1.010 en 1 cuota'],
    ['1.010 in 2 installments', '1.010 en 2 cuotas'],
    ['✓ T1 is paid in 1 installment', '✓ T1 está pagada en 1 cuota'],
    ['1 of 2 transactions could not be verified', 'no se pudo verificar 1 de 2 transacciones'],
    ['1 of 2 reports could not be saved', 'no se pudo guardar 1 de 2 informes'],
    ['1 of 5 checks failed: reachable', 'falló 1 de 5 verificaciones: conexión'],
    ['1 more checks', '1 verificación más'],
    ['1 of 2 events could not be confirmed', 'no se pudo comprobar 1 de 2 eventos'],
    ['1 received', '1 recibido'],
    ['2 received again', '2 recibidos otra vez'],
    ['1 set aside', '1 apartado'],
    ['a text of 1 characters', 'un texto de 1 carácter'],
    ['the loan has only 1 installments', 'el crédito tiene solo 1 cuota'],
  ])('%j is %j', (english, spanish) => expect(words(english)).toBe(spanish))
})

describe('a text that is put together from other texts', () => {
  const words = inCatalogue(packed(es), 'es')

  test.each([
    ['2.860/3.000 · 192/s · 728ms left · 2.860 missing', '2.860/3.000 · 192/s · quedan 728ms · 2.860 sin crédito'],
    [
      'the API key from profile acme cannot be used: it has quotes around it',
      'la clave de API (perfil acme) no se puede usar: tiene comillas alrededor',
    ],
    [
      'the public key from profile acme is not valid: it has quotes around it',
      'la clave pública (perfil acme) no es válida: tiene comillas alrededor',
    ],
    [
      'the webhook secret from profile acme cannot be used as a secret: it begins or ends with a quote',
      'el secreto de webhooks (perfil acme) no se puede usar como secreto: empieza o termina con una comilla',
    ],
    [
      'the webhook secret from profile acme cannot be used: number 2 of its 3 secrets is empty',
      'el secreto de webhooks (perfil acme) no se puede usar: el número 2 de sus 3 secretos está vacío',
    ],
    [
      'the webhook secret from profile acme is not UTF-8 text',
      'el secreto de webhooks (perfil acme) no es texto UTF-8',
    ],
    [
      'profile acme has a line with a space inside; until this is corrected, the secrets that were read last stay valid',
      'perfil acme tiene una línea con un espacio; hasta que se corrija, siguen válidos los últimos secretos leídos',
    ],
    [
      'in the first run, in which the sandbox causes no fault, the command of --settle ended with exit code 3, so the runs with faults were not started',
      'en la primera ejecución, en la que el sandbox no causa fallas, el comando de --settle terminó con el código de salida 3, así que las ejecuciones con fallas no empezaron',
    ],
    ['Waiting for the loan of T1 to have the state PAID', 'Esperando el crédito de T1 con el estado PAID'],
    [
      'could not cancel a loan: the service failed (503). The loan of T1 is still ACTIVE, but the service may still be cancelling it',
      'no se pudo anular un crédito: el servicio falló (503). El crédito de T1 sigue en ACTIVE, pero el servicio aún puede estar anulándolo',
    ],
    [
      'The acknowledged events could not be saved: the disk is full. Stop the receiver and start it again.',
      'No se pudieron salvar los eventos confirmados: el disco está lleno. Detén el receptor e inícialo otra vez.',
    ],
    ['line 3: trx is empty', 'línea 3: la columna trx está vacía'],
    ['line 1.003: order is missing', 'línea 1.003: falta order'],
    [
      'm.csv has two columns with the same meaning, and they differ in line 2: a “A” and b “B”',
      'm.csv tiene dos columnas con el mismo significado, y difieren en la línea 2: a «A» y b «B»',
    ],
    ['it is not JSON (line 8 column 16)', 'no es JSON (línea 8, columna 16)'],
    ['Waiting for the loan of T1', 'Esperando el crédito de T1'],
    [
      'Waiting up to 11m for T1, until its loan has the state PAID …',
      'Se espera hasta 11m por T1, hasta que su crédito tenga el estado PAID …',
    ],
    [
      'still no loan for T1 after 5s; the last answer: could not verify a transaction: the service failed (503)',
      'T1 sigue sin crédito después de 5s; la última respuesta: no se pudo verificar una transacción: el servicio falló (503)',
    ],
    [
      'the receiver answered 302: a redirect, which the service does not follow',
      'el receptor respondió 302: una redirección, que el servicio no sigue',
    ],
    [
      'The results leave out the columns rut, dv and 3 more, because results never contain national ids.',
      'Los resultados omiten las columnas rut, dv y 3 más, porque nunca contienen RUT.',
    ],
    [
      'the shop does not list it, and --settle ended with exit code 0',
      'la tienda no lo lista, y --settle terminó con el código de salida 0',
    ],
    [
      'the cancellation of T1 got no clear answer (503), and the loan is now ACTIVE. The state of a cancelled loan is CANCELLED',
      'la anulación de T1 no tuvo una respuesta clara (503), y el crédito está ahora en ACTIVE. El estado de un crédito anulado es CANCELLED',
    ],
    [
      'the header x-signature (scheme hmac: sha256, hex, with a timestamp)',
      'el encabezado x-signature (esquema hmac: sha256, hex, con una hora)',
    ],
    [
      'Columns read: trx. Compared with the loan: amount (loanAmount, in 1 of 2 rows), state (in 0 of 1 rows). Not compared: amount, state and 3 more.',
      'Columnas leídas: trx. Se compara con el crédito: amount (loanAmount, en 1 de 2 filas), state (en 0 de 1 fila). No se compara: amount, state y 3 más.',
    ],
    [
      '60 calls at once, then 2 a second, for each account and endpoint; left: 3 for verifyLoan (acme), 4 for evaluate (acme)',
      '60 llamadas de una vez, luego 2 por segundo, por cada cuenta y endpoint; quedan: 3 para verifyLoan (acme), 4 para evaluate (acme)',
    ],
    [
      '60 calls at once, then 100 a minute, for each key; left: 3 for acme',
      '60 llamadas de una vez, luego 100 por minuto, por cada clave; quedan: 3 para acme',
    ],
    ['#1, #2 and 4 more (--json shows all)', '#1, #2 y 4 más (--json muestra todo)'],
    ['Not used: amount, state and 3 more.', 'No se usa: amount, state y 3 más.'],
    ['Left out as rows of totals: lines 4, 5 and 3 more.', 'Se omiten filas de totales: líneas 4, 5 y 3 más.'],
    [
      'the list was read from a and b and 2 more; these fields next to the list were not read: state, amount and 4 more',
      'la lista se leyó de a y b y 2 más; estos campos junto a la lista no se leyeron: state, amount y 4 más',
    ],
    [
      'These fields and codes do not count as differences, because the specification does not show them: state, answer code ERR_X (404), amount and more',
      'Estos campos y códigos no cuentan como diferencias, porque la especificación no los muestra: state, código ERR_X de la respuesta (404), amount y más',
    ],
    ['Left out as rows of totals: lines 4, 5.', 'Se omiten filas de totales: líneas 4, 5.'],
    ['delete 2 webhook destinations: 4, 5', 'borrar 2 destinos de webhooks: 4, 5'],
    [
      'several events have the id e1, received at http://a/ and http://b/',
      'varios eventos tienen el id e1, recibidos en http://a/ y http://b/',
    ],
    ['the list was read from data.a and data.b', 'la lista se leyó de data.a y data.b'],
    [
      'x.csv has no column rut; the columns of its first line are: a, (no name)',
      'x.csv no tiene columna rut; las columnas de su primera línea son: a, (sin nombre)',
    ],
    ['12/13 runs · 213ms left · 1 findings', '12/13 ejecuciones · quedan 213ms · 1 hallazgo'],
    ['Seed 1, 2 to 12 runs at a time', 'Semilla 1, de 2 a 12 ejecuciones a la vez'],
    [
      '12 faults, 2 findings with 2 causes, 0 faults not reached',
      '12 fallas, 2 hallazgos con 2 causas, 0 fallas sin llegar',
    ],
    ['2 findings in 13 runs: hang, amount-not-compared', '2 hallazgos en 13 ejecuciones: hang, amount-not-compared'],
    [
      'Tried 12 of 103 faults, each in its own run, after a run without a fault: 2 findings',
      'Se probaron 12 de 103 fallas, cada una en su propia ejecución, después de una ejecución sin falla: 2 hallazgos',
    ],
    [
      'at verifyLoan.1: every amount of the answer is too low by 1, and no event is delivered until the test has ended',
      'en verifyLoan.1: cada monto de la respuesta es menor en 1, y no se entrega ningún evento hasta que la prueba termina',
    ],
    [
      'after the command had ended, the shop listed it as fulfilled',
      'después de que el comando terminó, la tienda lo listó como despachado',
    ],
    [
      'evaluate.1 200 · delivery.1 answered 401 · page.1 no answer',
      'evaluate.1 200 · delivery.1 respondió 401 · page.1 sin respuesta',
    ],
    ['the folder /proc/x could not be created (ENOENT)', 'no se pudo crear la carpeta /proc/x (ENOENT)'],
    [
      'The run was stopped: 2 of 3 rows are done, 1 were not sent.',
      'La ejecución se detuvo: 2 de 3 filas están hechas, 1 no se envió.',
    ],
    [
      'Columns read: externalTrxId. Compared with the loan: amount (loanAmount). Not compared: rut.',
      'Columnas leídas: externalTrxId. Se compara con el crédito: amount (loanAmount). No se compara: rut.',
    ],
    ['No destinations. 0 of 10 destinations used', 'No hay destinos. 0 de 10 destinos en uso'],
    [
      'T1 has no loan: the payment was rejected (USER_HAS_ACTIVE_LOAN)',
      'T1 no tiene crédito: el pago fue rechazado (USER_HAS_ACTIVE_LOAN)',
    ],
    [
      '2 exchanges and 1 delivery were recorded in day.ndjson.',
      'Se grabaron 2 intercambios y 1 entrega en day.ndjson.',
    ],
    [
      'not as expected: amount of T1 is 1000, expected 5; state of T1 is ACTIVE, expected PAID; number of installments of T1 is 1, expected 7; the answer is about T2, not about T1',
      'no es lo esperado: el monto de T1 es 1000, se esperaba 5; el estado de T1 es ACTIVE, se esperaba PAID; la cantidad de cuotas de T1 es 1, se esperaba 7; la respuesta es sobre T2, no sobre T1',
    ],
    [
      'transfer date of T1 is 2026-01-02, expected 2026-01-03; interest rate of T1 is 0.02, expected 0.03',
      'la fecha de transferencia de T1 es 2026-01-02, se esperaba 2026-01-03; la tasa de interés de T1 es 0.02, se esperaba 0.03',
    ],
    [
      'the answer to “verify a transaction” has a shape that the specification does not show: the list was read from data.a; the list was read from data.b; it has no `data`',
      'la respuesta a «verificar una transacción» tiene una forma que la especificación no muestra: la lista se leyó de data.a; la lista se leyó de data.b; no tiene `data`',
    ],
    [
      'Only the sandbox sends this code, because the specification shows no code for this case (gap 1: NOT_SHOWN). Expect another code from a real service; its message is shown as it was sent'.replace(
        'NOT_SHOWN',
        ['the list was read from data.a', 'gap 2: it has no `data`', 'gap 3: it has no `data`'].join('; '),
      ),
      'Solo el sandbox envía este código, porque la especificación no muestra un código para este caso (vacío 1: la lista se leyó de data.a; vacío 2: no tiene `data`; vacío 3: no tiene `data`). Un servicio real tendrá otro; su mensaje se muestra como fue enviado',
    ],
    [
      'line 4: rut “•••”: the check digit is wrong: for this number it is 9',
      'línea 4: rut «•••»: el dígito verificador está mal: para este número es 9',
    ],
  ])('%j is %j', (english, spanish) => expect(words(english)).toBe(spanish))
})

describe('a text that a service made of our own texts', () => {
  const words = inCatalogue(packed(es), 'es')
  const shapes = entries
    .filter(({ text }) => /:(?:text|list)\}/.test(text))
    .map(({ key }) => key.split(/\{[a-z]\w*\}/i))
    .filter((literals) => literals.join('').trim() !== '')
  const LENGTH = 1000
  /** Puts a text into one of its own values again and again. */
  const nested = (literals: readonly string[], at: number) => {
    const [before, after] = [literals.slice(0, at).join('x'), literals.slice(at).join('x')]
    const times = Math.max(1, Math.floor(LENGTH / (before.length + after.length)))
    return `${before.repeat(times)}it is empty${after.repeat(times)}`
  }

  test('is ready after few steps', () => {
    const { split } = String.prototype
    let steps = 0
    const counted = vi.spyOn(String.prototype, 'split').mockImplementation(function (this: string, ...by) {
      if (++steps > 10_000) throw new Error(`too many steps for “${this}”`)
      return split.apply(this, by)
    })
    onTestFinished(() => counted.mockRestore())
    for (const literals of shapes) {
      const own = literals.join('x')
      const begins = literals[0] === '' ? own : (literals[0] ?? '')
      const texts = [begins, `${own}; ${own}. `].map((part) => part.repeat(LENGTH))
      for (let at = 1; at < literals.length; at++) texts.push(nested(literals, at))
      for (const text of texts) {
        steps = 0
        counted.mockClear()
        words(text.slice(0, LENGTH))
      }
    }
    expect(shapes.length).toBeGreaterThan(200)
  })
})

describe('a text in another language', () => {
  const words = inCatalogue(
    packed({
      'the amount {amount} is not a whole number': 'el monto {amount} no es un número entero',
      'the {what} from {source} is not valid: {problem}': '{what:text} de {source} no es válido: {problem:text}',
      'base address': 'la dirección base',
      'it is empty': 'está vacío',
      '{count} rows were sent': '{count} {count:fila enviada|filas enviadas}',
      'Nothing was sent.': 'No se envió nada.',
      'for {name}': 'para {name}',
      'the key{part} is missing': 'falta la clave{part:text}',
      '{one} is the same as in {other}': '{one} es igual que en {other}',
      '{name}: {problem}?': '¿{name}: {problem:text}?',
      '{off} {part} the service': '{off} {part} del servicio',
      'base address of the service': 'dirección base del servicio',
      'it is empty and old': 'está vacío y es viejo',
      'Add -{digits} if it is left out. Otherwise wait.': 'Agrega -{digits} si falta. Si no, espera.',
      'not {list}: they are old': 'no {list:list}: son viejos',
      '{what} is {got}, not {wanted}': '{what} es {got}, no {wanted}',
      'these are wrong: {part}': 'están mal: {part:text}',
      or: 'o',
      '“': '«',
      '”': '»',
    }),
    'es',
  )

  test.each([
    ['the amount 12,5 is not a whole number', 'el monto 12,5 no es un número entero'],
    [
      'the base address from BNPL_BASE_URL is not valid: it is empty',
      'la dirección base de BNPL_BASE_URL no es válido: está vacío',
    ],
    ['1 rows were sent', '1 fila enviada'],
    ['1.000 rows were sent', '1.000 filas enviadas'],
    ['the key for acme is missing', 'falta la clave para acme'],
    ['the key is missing', 'falta la clave'],
    ['  it is empty\n\n  Nothing was sent.', '  está vacío\n\n  No se envió nada.'],
    ['Something else. Nothing was sent.', 'Something else. No se envió nada.'],
    ['\u001b[2mit is empty\u001b[22m', '\u001b[2mestá vacío\u001b[22m'],
    ['the last row is the same as in line 7', 'the last row es igual que en line 7'],
    ['amount: it is empty?', '¿amount: está vacío?'],
    ['$ it is empty', '$ it is empty'],
    ['3 min behind the service', '3 min behind del servicio'],
    ['baseUrl    base address of the service', 'baseUrl    dirección base del servicio'],
    ['Monto total “1,5”: it is empty and old', 'Monto total «1,5»: está vacío y es viejo'],
    ['✓ it is empty and old', '✓ está vacío y es viejo'],
    [
      'Add -9 if it is left out. Otherwise wait. Nothing was sent.',
      'Agrega -9 si falta. Si no, espera. No se envió nada.',
    ],
    ['not “a” or “b”: they are old', 'no «a» o «b»: son viejos'],
    [
      'these are wrong: a is 1, not 2; b is 3, not 4; c is 5, not 6',
      'están mal: a es 1, no 2; b es 3, no 4; c es 5, no 6',
    ],
    ['a is 1, not 2; b is 3, not 4', 'a es 1, no 2; b es 3, no 4'],
    ['a is 1, not 2; another text', 'a es 1, no 2; another text'],
    ['another text', 'another text'],
  ])('%j is %j', (english, spanish) => expect(words(english)).toBe(spanish))

  test('shows what the service sent as it is, also if it looks like one of our texts or like a placeholder', () => {
    for (const hostile of ['it is empty', '{amount}', '{problem:text}', '$&', 'the amount 1 is not a whole number'])
      expect(words(`the amount ${hostile} is not a whole number`)).toBe(`el monto ${hostile} no es un número entero`)
  })

  test('is found in a time that grows with the length of the text', () => {
    const long = `the ${'from is not valid: '.repeat(200)}`
    expect(words(long)).toContain('from')
    for (const part of ['x ', '# ', '\u001b[1m'])
      expect(words(part.repeat(1_000_000)).trimEnd()).toHaveLength(part.repeat(1_000_000).trimEnd().length)
  })

  test('keeps every word of a text that is a hundred times in itself, and the innermost ones in English', () => {
    const [english, spanish] = ['these are wrong: ', 'están mal: ']
    const made = words(`${english.repeat(100)}it is empty`)
    expect(made).toMatch(new RegExp(`^(${spanish}){4,}(${english}){4,}it is empty$`))
    expect(made.split(': ')).toHaveLength(101)
  })

  test('is not made again from the lines of a table', () => {
    const broken = 'the amount of this row, which somebody has typed,\nis not a whole number'
    expect(words(broken)).toContain('no es un número entero')
    for (const text of ['it is empty', broken]) expect(words(words.keep(text))).toBe(text)
  })
})
