import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../../src/cli.ts'
import { FIELDS } from '../../src/contract/description.ts'
import { FAULT_KIND_NAMES } from '../../src/domain/sandbox-faults.ts'
import { EXIT_CODES } from '../../src/errors.ts'
import { PROFILE_SETTINGS } from '../../src/profiles/profile.ts'
import { machineOfTest } from '../kit/command-context.ts'
import { beginDay, type Day, env } from '../kit/day.ts'
import { commandNames } from '../kit/every-command.ts'
import { fakeClock, machine, type RunOptions } from '../kit/harness.ts'
import { FILES, MISTAKES, OF_AN_ACCOUNT, SERVICES } from '../kit/hint-lines.ts'
import { markedLanguage, unmarked } from '../kit/marked-language.ts'
import { serve } from '../kit/served.ts'
import { CLOSED, typedTerminal } from '../kit/typed-terminal.ts'

/** Everything that a person sees comes out of the catalogue of the language: nothing is English that is not a name or a value. */

const inLanguage = markedLanguage()

/** What is the same in every language: code, options, what the service said, ids, addresses, files, statuses, and fields. */
const SAME =
  /`[^`]*`|"[^"]*"|: “[^“”]*”?|(?<!\w)--?[a-z][\w-]*(=\S*)?|[<[][^<>[\]]*[>\]]|\S*[\d_/@{}=$:…•]\S*|\b[A-Z]{2,}\b|\b[a-z]+[A-Z]\w*\b|\b\w[\w-]*(\.\w+)+\b|error:|ctrl.t/g

/** Lines of a shell. */
const LINE = /^ *(\$ )?(bnpl|curl|chmod|mkdir|npx|pass|vault|echo|source)( |$)/

/** Names that are the same in every language, by what they are the names of. */
const NAMES: Readonly<Record<string, string>> = {
  programs: 'bnpl bash zsh fish powershell linux npm node sh',
  'accounts of the test and of the sandbox':
    'acme acme-production old new other shop prod keyless hinted nowhere sandbox real-estate no-module inactive beta production',
  'values of settings and of options':
    'any hmac token hex base64 form json none table specification brackets empty absent call day seconds error projectId yes no en es mark unknown service-signature service-webhook-secret calls clock page refund webhooks paths bodies waiting retrying delivered set-aside stored variant quarantined',
  'fields of records':
    'accepted amounts answers steps state outcome paid failed profile file id amount data rut periods installments ms',
  'topics of the help': 'help settings exit-codes environment manual',
  'the title of a call in the specification': 'list destinations',
  'names of the test': 'Shop shop before again lits banana somebody nobody undefined key api-key true false null ok',
  'data of the sandbox':
    'Tienda Demo Inmobiliaria Sin Modulo Inactiva Casado Chilena Contador Dependiente Indefinido La Universitaria Transportes Norte approved',
  'parameters of a signed link': 'X-Amz-SignedHeaders response-content-disposition response-content-type',
  'words of a person’s name or place, which have accents': 'Luc a Soto Torres Araucan Concepci n',
}

const allowed = new Set(
  [
    ...Object.values(NAMES).join(' ').split(' '),
    ...Object.keys(PROFILE_SETTINGS).flatMap((name) => [name, ...name.split('.')]),
    ...Object.keys(EXIT_CODES),
    ...Object.keys(FIELDS),
    ...FAULT_KIND_NAMES,
    'success',
    'no-such-command',
    'not-runnable',
  ].flat(),
)

const found = new Map<string, string>()

/** Notes each text that a command line printed, and that is neither out of the catalogue nor a name or a value. */
function look(line: string, printed: string, isCut = false): void {
  for (const part of unmarked(stripVTControlCharacters(printed), isCut).split('\n')) {
    if (LINE.test(part)) continue
    const words = part.replace(SAME, ' ').match(/[A-Za-z][A-Za-z'’]*(?:[.-][A-Za-z]+)*/g) ?? []
    if (words.some((word) => word.length > 1 && !allowed.has(word))) found.set(part.trim().replace(/\d+/g, '#'), line)
  }
}

/** Returns the texts that were noted, each with the command line. */
function noted(): string[] {
  const texts = [...found].map(([text, line]) => `${line}: ${text}`)
  found.clear()
  return texts
}

let day: Day
let names: Awaited<ReturnType<typeof commandNames>>
beforeAll(async () => {
  day = await beginDay()
  names = await commandNames(day.m.world().world)
  for (const word of names.all.flatMap((name) => name.split(' '))) allowed.add(word)
})
afterAll(() => day.end())

const clock = () => fakeClock(Date.now())
const AT_TERMINAL: RunOptions = { color: true, stdoutIsTty: true, stderrIsTty: true, columns: 80 }

test('help, of every command and topic', async () => {
  using m = machine()
  const ARGUMENTS =
    'trx shell service list id url event preApproveId leadId path method name value token duration endpoint command code words'
  for (const word of ARGUMENTS.split(' ')) allowed.add(word)
  for (const line of ['', ...names.all].map((name) => `${name} --help`))
    look(line, (await m.run(line, { inLanguage })).stdout)
  for (const topic of ['environment', 'exit-codes', 'settings'])
    look(`help ${topic}`, (await m.run(`help ${topic}`, { inLanguage })).stdout)
  expect(noted()).toEqual([])
})

/** Commands whose result is for another program. */
const FOR_PROGRAMS = /^(__complete|completion|contract openapi|webhooks events show|sandbox (torture|run)|api )|--from /

test.each([
  ['in a pipe', {}],
  ['on a terminal', AT_TERMINAL],
])('results, notes and warnings of every command, %s', async (_, options) => {
  const lines = [...day.rows.map(({ line }) => line), 'explain', 'explain 4', 'sandbox deliveries', 'history']
  for (const line of lines.filter((each) => !FOR_PROGRAMS.test(each))) {
    const { stdout, stderr } = await day.run(line, { inLanguage, clock: clock(), ...options })
    look(line, stdout + stderr, options === AT_TERMINAL)
  }
  writeFileSync(join(day.m.dir, 'loans.csv'), 'externalTrxId,expectedAmount\nT1,5\nT3,4\n')
  for (const line of ['evaluate -p sandbox --from rows.csv --restart', 'verify -p sandbox --from loans.csv'])
    look(line, (await day.run(line, { inLanguage, clock: clock(), ...options })).stderr)
  expect(noted()).toEqual([])
})

test('mistakes on the command line, and every command without a service', async () => {
  for (const line of MISTAKES) {
    const { stdout, stderr } = await day.run(line, { inLanguage, clock: clock(), stderrIsTty: true, columns: 500 })
    look(line, stdout + stderr)
  }
  for (const name of names.leaves.filter(
    (each) => !/^(sandbox|webhooks listen|proxy|__complete|completion)/.test(each),
  ))
    for (const rest of ['--banana 1', '-p nowhere']) {
      const { stderr } = await day.run(`${name} ${rest}`, { inLanguage, clock: clock(), columns: 500 })
      look(`${name} ${rest}`, stderr)
    }
  expect(noted()).toEqual([])
})

test.each(Object.entries(SERVICES))('errors and hints with a service %s', async (_, transport) => {
  const account = { environment: 'beta', baseUrl: 'https://api.example.com' }
  const m = machineOfTest({ prod: { ...account, apiKey: 'sk-0987654321' } })
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(m.dir, name), text, { mode: 0o600 })
  for (const line of OF_AN_ACCOUNT.filter((each) => !each.startsWith('proxy'))) {
    const options = { inLanguage, columns: 500, transport, clock: clock() }
    const { stderr, stdout } = await m.run(`${line} -p prod -y`, options)
    look(line, FOR_PROGRAMS.test(line) && !line.includes('--out ') ? stderr : stdout + stderr)
  }
  expect(noted()).toEqual([])
})

/** Command lines that ask at a terminal; each begins with another question. */
const ASKS = `
evaluate -p sandbox
evaluate -p sandbox --rut 11222333-9
select -p sandbox --trx T3
pay-url -p sandbox --trx T3
pay-url -p sandbox --trx T3 --success-url https://shop.example/ok
pay-url -p sandbox --trx T3 --success-url https://shop.example/ok --error-url https://shop.example/no
widget-token -p sandbox --trx T3
verify -p sandbox
walkthrough -p sandbox
cancel -p sandbox
sandbox pay
sandbox reset
sandbox snapshot load before
leads get -p sandbox:real-estate
evaluations get -p sandbox:real-estate
informe download -p sandbox:real-estate
webhooks add -p sandbox
webhooks rm -p sandbox
webhooks subscribe -p sandbox:real-estate --event new_lead
api GET -p sandbox
profiles add asked
profiles add asked --base-url https://api.example.com
profiles rm acme
profiles set-key acme
profiles add-secret acme
profiles rm-secret acme
history rm T1
history rm --all
webhooks lits
`
  .trim()
  .split('\n')

test.each([
  ['', {}],
  ['with BNPL_ACCESSIBLE', { BNPL_ACCESSIBLE: '1' }],
])('questions at a terminal %s', async (_, more) => {
  let asked = 0
  for (const line of ASKS) {
    const terminal = typedTerminal([[/⟧|[a-z]{3}/i, CLOSED]])
    const { world, stdout, stderr } = day.m.world({ inLanguage, env: { ...env, ...more }, stdoutIsTty: true })
    Object.assign(world.io, terminal.io)
    await runCli(line.split(' '), world)
    if (terminal.screen() !== '') asked++
    look(line, stdout() + stderr() + terminal.screen())
  }
  expect(noted()).toEqual([])
  expect(asked).toBeGreaterThan(24)
})

const PAGE = '--email ana@example.com --success-url https://shop.example/ok --error-url https://shop.example/no'

/** What a support person runs while a customer is on the phone. Each line continues with what the lines before it left in the sandbox. */
const SITUATIONS = `
sandbox status --keys
webhooks list -p sandbox
evaluate --from customers.csv -p sandbox
verify --from loans.csv -p sandbox
evaluate -p sandbox --rut 11222333 --amount 90000
evaluate -p sandbox --rut 11222333-8 --amount 90000 --skip-rut-check
evaluate -p sandbox --rut 11222333-9 --amount 90000 --trx T1
verify T1 -p sandbox --record day.ndjson
smoke -p sandbox --record day.ndjson
contract check day.ndjson
contract learn day.ndjson --write service.json
contract gaps --service service.json
pay-url -p sandbox --trx T1 ${PAGE}
verify T1 -p sandbox --timeout banana
verify T1 -p sandbox
sandbox clock advance 11m
verify T1 -p sandbox
verify T1 -p sandbox --wait 1s
pay-url -p sandbox --trx T1 ${PAGE}
sandbox pay T1
verify T1 -p sandbox
verify T1 -p sandbox --expect-state PAID --expect-amount 5 --expect-periods 7 --expect-interest-rate 90% --expect-transfer-date 2020-01-01
verify T1 -p sandbox --expect-interest-rate banana
sandbox pay T1
evaluate -p sandbox --rut 11222333-9 --amount 90000 --trx T1
evaluate -p sandbox --rut 11222333-9 --amount 90000 --trx T1-b
sandbox pay T1-b
history list --search T1
verify T1 T1-b T2 -p sandbox
sandbox installment T1-b 1 --paid
cancel T1-b -p sandbox --yes
verify T1-b -p sandbox
cancel T1-b -p sandbox --yes
pay-url -p sandbox --trx T1-b ${PAGE}
sandbox clock advance 61d
cancel T1 -p sandbox --yes
sandbox fault add evaluate --delay 1s --status 503 --retry-after 2s --always
sandbox fault list
evaluate -p sandbox --rut 11222333-9 --amount 90000 --trx T3
sandbox requests
sandbox fault add verifyLoan --delay 1s --cut --nth 2 --times 3
sandbox fault add verifyLoan --kind banana
sandbox torture --only banana -- true
sandbox deliveries --schedule banana
evaluate --from customers.csv -p sandbox --rate banana
evaluate --from customers.csv -p sandbox --encoding banana
webhooks events --state banana
entities set X --active banana -p sandbox
webhooks trigger loan_approved --to http://127.0.0.1:1/hook -p sandbox
`
  .trim()
  .split('\n')

const WRONG_FILES = {
  'customers.csv':
    'rut,monto,pedido\n11222333-8,5,B1\n,90000,B2\n11222333-9,1.5,B3\n11222333-9,5,\n11222333-9,5,1E+15\n',
  'loans.csv': 'pedido,fecha de transferencia,cuotas\nT1,never,0\n#N/A,2026-03-01,3\n',
}

test('the situations of a support person, and every explanation', async () => {
  using m = machine()
  // A count of installments is a text, although the word is also the name of a field. A code explains itself.
  allowed.delete('installments')
  const options = { inLanguage, env, ...AT_TERMINAL, columns: 500 }
  const run = async (line: string) => {
    const { stdout, stderr } = await m.run(line, { ...options, clock: clock() })
    look(line, stdout + stderr)
  }
  for (const [name, text] of Object.entries(WRONG_FILES)) writeFileSync(join(m.dir, name), text)
  for (const line of SITUATIONS) await run(line)
  await m.run('sandbox fault clear', { env })
  for (const [i, { rut }] of JSON.parse((await m.run('sandbox customers --json', { env })).stdout).entries()) {
    await run(`evaluate -p sandbox --rut ${rut} --amount 90000 --trx C${i}`)
    await run(`sandbox pay C${i}`)
    await run(`verify C${i} -p sandbox`)
  }
  const codes = JSON.parse((await m.run('explain --json', { env })).stdout).map(({ code }: { code: string }) => code)
  for (const code of new Set(codes)) await run(`explain ${code}`)
  allowed.add('installments')
  expect(noted()).toEqual([])
})

test('what the sandbox, the listener and the proxy write while they run', async () => {
  using m = machine()
  // The state of an event is a value of `--state` elsewhere, but not on the screen of the listener.
  for (const word of ['stored', 'waiting', 'retrying', 'delivered']) allowed.delete(word)
  const options = { inLanguage, env, open: async () => true, ...AT_TERMINAL, columns: 140 }
  const sandbox = await serve(m, ['sandbox', 'start', '--allow-http'], options)
  const listener = await serve(m, ['webhooks', 'listen', '--forward-to', 'http://127.0.0.1:1/hook'], options)
  const proxy = await serve(m, ['proxy', '-p', 'sandbox'], options)
  for (const line of [
    `webhooks trigger loan_approved --to ${listener.ready.url} --event-id E1`,
    `webhooks trigger loan_approved --to ${listener.ready.url} --event-id E1`,
    'evaluate -p sandbox --rut 11111111-1 --amount 90000',
    'evaluate -p sandbox --rut 11222333-9 --amount 90000 --trx T1',
    'sandbox pay T1',
  ])
    await m.run(line, { env })
  await fetch(`${proxy.ready.url}/partner/webhook`)
  for (const [name, server] of Object.entries({ proxy, listener, sandbox })) {
    const { stdout, stderr } = await server.end()
    look(name, stdout + stderr)
  }
  expect(noted()).toEqual([])
})
