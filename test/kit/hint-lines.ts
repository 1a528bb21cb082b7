import { type Transport, WireFailure } from '../../src/contract/wire.ts'

/** Command lines, mostly mistakes, whose messages name a command to run next. `PRE` and `LEAD` are ids of the sandbox. */
export const MISTAKES = `
webhooks lits
listen
evaluate --rut 55555555-5 --amount 250000
evaluate --rut 11222333-9 --amount 250000 --trx order-1002
select --installments 6 --trx order-1002
select --installments 6 --trx order-1002 --amount 5000
evaluate --rut 11222333-9 --amount 250000 --trx order-1001
widget-token --trx order-1001 --amount 250000 --email ana@example.com
verify nobody
history show --trx order-1001
select order-1002
verify PRE
leads get LEAD
leads get none
evaluations get --rut 99999999-9
evaluations get --rut 11222333-9
informe get PRE
webhooks rm none -y
webhooks rm --url https://none.example -y
webhooks rm
webhooks subscribe https://shop.example/hint --event loan_approved
webhooks add https://shop.example/webhooks --if-missing
webhooks events show 99
webhooks events confirm 1
webhooks events replay 1
webhooks trigger loan_approved
sandbox pay nobody
sandbox lead
sandbox lead --now
sandbox deliver none
sandbox changes --since none
sandbox revise PRE --set puntajeRiesgo=400
sandbox fault add evaluate --status 503
sandbox snapshot save hint --force
sandbox open --print
sandbox run
profiles show none
profiles use none
profiles add acme
profiles add hinted --base-url http://127.0.0.1:1 --api-key-file key.txt
history show somebody
history list -p hinted
api DELETE /partner/webhook/none -y
explain none
contract
completion none
verify order-1001 -p acme-production
leads list -p sandbox
leads list -p hinted
`
  .trim()
  .split('\n')

/** Placeholders in hints, and the values that replace them here. */
const VALUES: readonly [RegExp, string][] = [
  [/--installments N\b/, '--installments 6'],
  [/--email …/, '--email ana@example.com'],
  [/(--(?:success|error)-url) …/g, '$1 https://shop.example/back'],
  [/--rut …/, '--rut 11222333-9'],
  [/\bURL\b/, 'https://shop.example/hinted'],
  [/\bTRX\b/, 'order-1001'],
  [/\bNAME\b/, 'shop'],
  [/\bPATH\b/, '/partner/webhook'],
  [/\bSETTING VALUE\b/, 'entityId 7'],
]

/** Returns the commands that a text names, ready to be pasted. */
export function commandsIn(text: string): string[] {
  return text
    .split(/\. |; | — |\n/)
    .flatMap((sentence) => [...sentence.matchAll(/\bbnpl ([a-z](?:'[^']*'|[^'`\n])*)/g)])
    .map(([, line = '']) => line.split(/ \(|, (?:then|or)\b| (?:after the|names the)\b/)[0] ?? '')
    .map((line) => VALUES.reduce((filled, [from, to]) => filled.replace(from, to), line.trim().replace(/[.,:]$/, '')))
    .filter(
      (line) => !/: a command is missing$/.test(line) && !/^(reads|has|knows|itself|waits|asked|command)\b/.test(line),
    )
}

/** Words in these lines that look like commands and are values. */
const OWN = new Set(['nobody', 'none', 'somebody', 'hint', 'hinted', 'shop', 'acme', 'acme-production'])

/** Returns what identifies a hint: the command with its options, without their values. */
export const shapeOf = (line: string) =>
  line
    .split(' ')
    .filter((word) => /^--?[a-z]/.test(word) || (/^[a-z-]+$/.test(word) && !OWN.has(word)))
    .join(' ')

/** The exit codes of commands in hints, if not 0, by the shape of the command or by the whole command. */
export const ENDS: Readonly<Record<string, readonly [code: number, why: string]>> = {
  'webhooks listen': [3, 'a listener of this machine is there already'],
  'webhooks events replay --forward-to': [9, 'no handler is at the address that it shows'],
  'verify --wait': [6, 'nobody pays'],
  'verify --wait -p': [6, 'nobody pays'],
  'verify somebody': [6, 'the transaction is nobody’s'],
  'sandbox snapshot load': [2, 'asks before it deletes'],
  'profiles add': [2, 'asks, and there is no terminal to ask on'],
  'evaluate -p': [2, 'asks, and there is no terminal to ask on'],
  'doctor -p': [10, 'nothing answers at the address of that account'],
}

/** Command lines that name a command to run next, on an account with few settings or at a service that does not answer as it should. */
export const OF_AN_ACCOUNT = `
evaluate --rut 11222333-9 --amount 250000
evaluate --rut 11222333-9 --amount 250000 --entity-id 7 --trx order-1
evaluate --from customers.csv --entity-id 7
evaluate --from customers.csv --entity-id 7 --out options.csv --force --restart
select --installments 6
select --installments 6 --trx order-1 --pre-approve-id undefined --amount 250000
select --installments 6 --trx order-1 --pre-approve-id PRE --amount 250000
widget-token --trx order-1 --amount 250000 --email ana@example.com
widget-token --trx order-1 --amount 250000 --email ana@example.com --entity-id 7
pay-url --trx order-1 --amount 250000 --email ana@example.com --success-url https://shop.example/ --error-url https://shop.example/
verify order-1
verify order-1 order-2
verify order-1 --wait 1s
verify --from orders.csv --out loans.csv --force
walkthrough --rut 11222333-9 --amount 250000 --installments 6 --email ana@example.com
walkthrough --rut 11222333-9 --amount 250000 --installments 6 --email ana@example.com --wait 1s
doctor
smoke
smoke --rut 11222333-9
api GET /partner/webhook
api POST /partner/webhook -f url=https://shop.example/
webhooks list
webhooks add https://shop.example/hook
webhooks add https://shop.example/hook --event new_lead
webhooks add https://shop.example/hook --save-secret
webhooks subscribe https://shop.example/hook --event new_lead
webhooks subscribe https://shop.example/hook --event loan_approved
webhooks rm
webhooks rm 7
webhooks rm --url https://shop.example/hook
webhooks trigger loan_approved --to http://127.0.0.1:1/hook
webhooks test http://127.0.0.1:1/hook
webhooks listen --port 0
webhooks listen --port 0 --public-url https://shop.example/hook
webhooks verify-signature --body-file body.json --signature abc
webhooks verify-signature --body-file body.json --signature SIGNATURE --secret-file secret.txt
webhooks events
webhooks events show 1
webhooks events confirm
webhooks events replay 1
leads list
leads get lead-1
evaluations get --rut 11222333-9
evaluations get --lead-id lead-1
informe get PRE
informe get undefined
informe open PRE
informe download
informe download PRE
informe download PRE --from-link http://127.0.0.1:1/report
informe download --from ids.csv --dir reports
history list
history show order-9
history rm
history rm order-9
profiles set banana 7
profiles set apiKey 7
profiles set webhookSecrets 7
profiles set entityId 7 --api-key-file secret.txt
profiles set baseUrl https://other.example
profiles unset baseUrl
profiles rm-secret
profiles show
proxy --with-key --port 0
`
  .trim()
  .split('\n')

/** The files that `OF_AN_ACCOUNT` names, with their texts. */
export const FILES = {
  'customers.csv': 'rut,amount,externalTrxId\n11222333-9,50000,C1\n',
  'orders.csv': 'externalTrxId\nC1\n',
  'ids.csv': 'preApproveId\nP1\n',
  'body.json': '{}',
  'secret.txt': 'whsec-1234567890',
}

const answering =
  (status: number, body: unknown): Transport =>
  async () => ({ status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) })

/** Services that answer every call in one way, each with a word for it. */
export const SERVICES: Readonly<Record<string, Transport>> = {
  'whose answers have no fields': answering(200, { data: {} }),
  'whose answers have other fields': answering(200, {
    data: {
      installmentOptions: [{ installments: 6, amount: 1, total: 6 }],
      accepted: false,
      loanRequestId: 'L',
      id: 7,
    },
  }),
  'that refuses the key': answering(401, { message: 'refused' }),
  'that knows no object': answering(404, { message: 'unknown' }),
  'that fails': answering(500, {}),
  'that does not answer': () => Promise.reject(new WireFailure('reset', true, 'the connection was closed')),
}
