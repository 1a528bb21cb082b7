import { expect, test } from 'vitest'
import { complaints } from '../../test/kit/command-lines.ts'
import { machine } from '../../test/kit/harness.ts'
import { MEANT_IN_SPANISH } from '../language/typed-words.ts'
import { usageOf } from './usage-errors.ts'

const CANARY = 'sk_canary_0123456789'
const told = (message: string, named = 'bnpl', code = 'commander.error') => {
  const { kind, message: said, hint } = usageOf({ code, message }, named)
  expect(kind).toBe('usage')
  return [said, hint]
}

test('a missing command is reported with a reference to the help of the command group', () => {
  for (const code of ['commander.help', 'commander.helpDisplayed']) {
    expect(told('(outputHelp)', 'bnpl webhooks', code)).toEqual([
      'bnpl webhooks: a command is missing',
      'See: bnpl webhooks --help',
    ])
  }
})

test.each([
  ["error: unknown option '--jsn'\n(Did you mean --json?)", "unknown option '--jsn' (Did you mean --json?)"],
  [`error: unknown option '--rut=${CANARY}'`, "unknown option '--rut'"],
  [`error: unknown option '-x${CANARY}'`, "unknown option '-x'"],
  [`error: unknown option '—rut=${CANARY}'`, 'unknown option'],
  [`error: unknown command '${CANARY}'`, 'unknown command'],
  [`error: unknown command 'a b ${CANARY}'`, 'unknown command'],
  ["error: unknown command 'verfy'\n(Did you mean verify?)", "unknown command 'verfy' (Did you mean verify?)"],
  ["error: unknown command 'web_hooks'\n(Did you mean webhooks?)", 'unknown command (Did you mean webhooks?)'],
  [
    `error: too many arguments for 'use'. Expected 1 argument but got 2: acme, ${CANARY}.`,
    "too many arguments for 'use'. Expected 1 argument but got 2",
  ],
  ["error: missing required argument 'name'", "missing required argument 'name'"],
])('%j is reported as %j', (message, said) => {
  expect(told(message)).toEqual([said, 'See: bnpl --help'])
})

test.each([
  ['-1', 'bnpl sandbox clock advance', true, /only moves ahead.*snapshot load NAME/s],
  ['-1', 'bnpl verify', true, /unknown option '-1'.*cannot be negative.* write -- before it/s],
  ['-1', 'bnpl leads list', false, /unknown option '-1'.*cannot be negative\. See: bnpl leads list --help$/s],
  ['-a', 'bnpl verify', true, /unknown option '-a'.*write -- before it/s],
  ['-a', 'bnpl leads list', false, /unknown option '-a'\nSee: bnpl leads list --help$/],
])('the error for %s after “%s” says what the user can write instead', (option, named, takesArguments, said) => {
  const error = usageOf(
    { code: 'commander.unknownOption', message: `error: unknown option '${option}h'` },
    named,
    takesArguments,
  )
  expect(`${error.message}\n${error.hint}`).toMatch(said)
})

test.each(['--api-key', '--secret', '--widget-token', '--password'])(
  'the hint for %s names the ways to pass a secret',
  (option) => {
    const [said, hint] = told(`error: unknown option '${option}=${CANARY}'`, 'bnpl profiles add')
    expect(said).toBe(`unknown option '${option}'`)
    expect(hint).toMatch(/^Use --api-key-stdin.* a secret must not be an argument/)
  },
)

test.each([
  ['bnpl profiles add-secret', 'Use --secret-stdin, --secret-file or a hidden prompt,'],
  ['bnpl webhooks listen', 'Use --secret-stdin, --secret-file or BNPL_WEBHOOK_SECRET,'],
  ['bnpl webhooks list', 'Set BNPL_API_KEY or BNPL_WEBHOOK_SECRET to pass a secret,'],
  ['bnpl evaluate', 'Set BNPL_API_KEY or BNPL_WEBHOOK_SECRET to pass a secret,'],
])('the hint for a secret given to “%s” names only options that this command has', (named, hint) => {
  expect(told("error: unknown option '--api-key'", named)[1]).toContain(hint)
})

test.each([
  ['verify --trx o1', 'Write the id as an argument: bnpl verify TRX'],
  ['verify --trx=o1 -p sandbox', 'Write the id as an argument: bnpl verify TRX -p sandbox'],
  ['history show --external-trx-id o1', 'Write the id as an argument: bnpl history show TRX'],
  ['sandbox pay --trx o1 --reject', 'Write the id as an argument: bnpl sandbox pay TRX'],
  ['informe get --pre-approve-id p1', 'Write the id as an argument: bnpl informe get PREAPPROVEID'],
  ['leads get --lead-id l1', 'Write the id as an argument: bnpl leads get LEADID'],
  ['leads list --lead-id l1', 'See: bnpl leads list --help'],
  ['select o1 -p sandbox', 'the transaction id, use --trx: bnpl select --trx TRX --installments N -p sandbox'],
  ['select o1 --installments 6', 'the transaction id, use --trx: bnpl select --trx TRX --installments N'],
  ['evaluate o1', 'the transaction id, use --trx: bnpl evaluate --trx TRX --rut … --amount N'],
  ['pay-url o1', 'the transaction id, use --trx: bnpl pay-url --trx TRX --email … --success-url … --error-url …'],
  ['select', 'See: bnpl select --help'],
  ['evaluate --amout 5', 'See: bnpl evaluate --help'],
  ['pay-url --emial ana@example.com', 'See: bnpl pay-url --help'],
])('%s is refused, and the hint says where the id belongs', async (line, hint) => {
  using m = machine()
  const { code, stderr } = await m.run(line)
  expect([code, stderr.trimEnd().slice(-hint.length)]).toEqual([2, hint])
})

test.each([
  ['evaluate --amout 5', '(Did you mean --amount?)'],
  ['select --instalments 6', '(Did you mean --installments?)'],
  ['widget-token --emial a@example.com', '(Did you mean --email?)'],
  ['pay-url --sucess-url https://shop.example', '(Did you mean --success-url?)'],
  ['refund T1', 'Use: bnpl cancel TRX'],
  ['token', 'Use: bnpl widget-token'],
  ['help exit-code', 'Use: bnpl help exit-codes'],
  ['manual', 'Use: bnpl help manual'],
  ['environment', 'Use: bnpl help environment'],
  ['env', 'Use: bnpl help environment'],
  ['profiles add acme --no-keyring', '(Did you mean --keyring?)\n  See: bnpl profiles add --help\n'],
  ['settings --json', 'Use: bnpl help settings'],
])('“%s” is answered with what was meant: %s', async (line, meant) => {
  using m = machine()
  const { code, stderr } = await m.run(line)
  expect([code, stderr]).toEqual([2, expect.stringContaining(meant)])
})

test('a wrong command or argument gets a hint with the right bnpl command', () => {
  expect(told("error: unknown command 'ls'", 'bnpl webhooks')).toEqual([
    "unknown command 'ls'",
    'Use: bnpl webhooks list',
  ])
  expect(told("error: missing required argument 'path'", 'bnpl api')[1]).toContain('bnpl api GET /path')
  const tooMany = "error: too many arguments for 'get'. Expected 0 arguments but got 1: L1."
  expect(told(tooMany, 'bnpl evaluations get')[1]).toContain('--lead-id')
})

test.each([
  ['pago', 'bnpl pay-url'],
  ['verificar', 'bnpl verify TRX'],
  ['ayuda', 'bnpl help'],
  ['rechazado', 'bnpl explain refused'],
  ['evaluación', 'bnpl evaluations get --rut RUT'],
  ['webhooks listar', 'bnpl webhooks list'],
])('the Spanish word %s is answered in Spanish with %s', async (word, command) => {
  using m = machine()
  const english = await m.run(word)
  expect(english).toMatchObject({ code: 2, stderr: expect.stringContaining(`Usa: ${command} (textos en español`) })
  const spanish = await m.run(word, { env: { BNPL_LANG: 'es' } })
  expect(spanish).toMatchObject({ code: 2, stderr: expect.stringMatching(/no existe/) })
  expect(spanish.stderr).toContain(`Usa: ${command}\n`)
})

test('every command that a Spanish word stands for exists', async () => {
  for (const line of MEANT_IN_SPANISH.filter((each) => !each.startsWith('bnpl help')))
    expect([line, await complaints(line.split(' ').slice(1))]).toEqual([line, []])
})

test('bnpl explain knows the Spanish words for how a command ends', async () => {
  using m = machine()
  const { stdout } = await m.run('explain refused')
  for (const word of ['rechazado', 'Rechazado'])
    expect(await m.run(`explain ${word}`)).toMatchObject({ code: 0, stdout })
  expect((await m.run(['explain', 'no encontrado'])).stdout).toContain('not-found')
})
