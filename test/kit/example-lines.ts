import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Counter } from './counter.ts'
import { commandNames } from './every-command.ts'
import { machine } from './harness.ts'
import { ROOT } from './source-graph.ts'

/** A script from the help or from a page. */
export interface Example {
  /** The command whose help contains the script, or the page. */
  from: string
  script: string
}

/** Returns every example of every help text. */
export async function helpExamples(): Promise<Example[]> {
  using m = machine()
  const { all } = await commandNames(m.world().world)
  const found: Example[] = []
  for (const from of all) {
    const { stdout } = await m.run(`${from} --help`)
    for (const [, script = ''] of stdout.matchAll(/^ {2}\$ ((?:.*\\\n)*.*)$/gm)) found.push({ from, script })
  }
  return found
}

/** The pages for users whose shell blocks are run like the examples of the help. */
export const PAGES = [
  'README.md',
  ...[
    'files',
    'is-my-integration-right',
    'sandbox',
    'production',
    'the-first-day',
    'trouble',
    'webhooks',
    'library',
    'banca-me',
  ].map((name) => `docs/${name}.md`),
]

/** The section of docs/the-first-day.md that test/printed/first-day.test.ts runs as one script. */
export const FIRST_DAY = 'The first day'

/** Returns every shell block of a page, or only those of a section with this heading, or those of all other sections. */
export function blocksOf(from: string, { only, except }: { only?: string; except?: string } = {}): Example[] {
  const text = readFileSync(join(ROOT, from), 'utf8')
    .split(/^(?=## )/m)
    .filter((section) => only === undefined || section.startsWith(`## ${only}\n`))
    .filter((section) => except === undefined || !section.startsWith(`## ${except}\n`))
    .join('')
  return [...text.matchAll(/^```(?:sh|bash)[^\n]*\n([\s\S]*?)^```$/gm)].map(([, script = '']) => ({
    from,
    script: script.trim(),
  }))
}

/** What is special about an example: it needs more than the machine has, uses something up, or does not end with 0. */
interface Unusual {
  /** A text that the script contains. */
  has: string
  /** The command or the page of the example, if several examples contain that text. */
  of?: string
  why: string
  /** The exit code that is expected, if not 0. */
  code?: number
  /** What the shell runs before the script. */
  given?: string
  /** What the shell runs after the script. */
  after?: string
}

/** Scripts that are not run, because they need what no test has. */
export const LEFT_OUT: readonly { has: string; why: string }[] = [
  { has: 'npm ci', why: 'installs this repository, or runs these tests' },
  {
    has: 'node handler.mjs',
    why: 'a handler that runs until it is stopped; test/printed/readme.test.ts has the first webhook',
  },
  {
    has: 'select --trx order-1 --installments 6 -p sandbox\nbnpl sandbox pay order-1\n',
    why: 'the first payment, with the handler of the block before it; test/printed/readme.test.ts has it',
  },
  {
    has: 'npm install --global',
    why: 'installs a service on a server; test/package/production.test.ts checks its files',
  },
  { has: 'Out-String', why: 'a line for PowerShell; test/windows/powershell.test.ts parses the script' },
  { has: 'kubectl', why: 'needs a cluster; test/package/kubernetes.test.ts checks the file' },
  { has: 'sandbox torture', why: 'runs a shop again and again; test/torture/torture.test.ts has one' },
  { has: 'SHOP_DATA=', why: 'the test of a shop; test/package/example-shops.test.ts has three' },
  { has: '--service banca.me', why: 'would try the key at the real service' },
  { has: 'sqlite3 ', why: 'the backup of another program' },
  { has: 'pg_dump', why: 'the backup of another program' },
  { has: 'db.example', why: 'needs a PostgreSQL server; test/receiver/cluster.test.ts has one' },
]

const RESTORED = 'bnpl restore'
const NEW_ORDER =
  'TRX=order-$BASHPID; bnpl evaluate -p sandbox --rut 11222333-9 --amount 250000 --trx $TRX -q > /dev/null'
const PAID_ORDER = `${NEW_ORDER}; bnpl sandbox pay $TRX -q > /dev/null`
const NEW_ENTITY = `ENTITY=$(bnpl entities add --external-id e-$BASHPID --name E --label e-$BASHPID -p sandbox --json | sed -n 's/.*"id": "\\([^"]*\\)".*/\\1/p')`
const NEW_FAULT = `FAULT=$(bnpl sandbox fault add evaluate --status 503 --json | sed -n 's/.*"id": "\\([^"]*\\)".*/\\1/p')`
const NO_REPORTS = 'rm -rf reports PreAprobacion_*.pdf'

export const UNUSUAL: readonly Unusual[] = [
  {
    has: 'contract learn day.ndjson --write',
    why: 'a description that is there is not replaced',
    given: 'rm -f service.json',
  },
  {
    has: '--service service.json',
    why: 'another example writes the description',
    given: 'bnpl contract learn day.ndjson --write service.json --force -q',
  },
  {
    has: 'evaluate --from customers.csv',
    why: 'a file is evaluated once',
    given: `printf 'rut,amount,externalTrxId\\n11222333-9,50000,%s\\n' C-$BASHPID > customers.csv; rm -f options.* offers.*`,
  },
  {
    has: 'verify --from orders.csv',
    why: 'results that are there are not replaced',
    given: 'rm -f results.* reconciled.*',
  },
  {
    has: 'snapshot save paid',
    why: 'a snapshot that is there is not replaced',
    given: 'rm -f $(bnpl sandbox snapshot list --json | sed -n \'s/.*"file": "\\(.*paid.db\\)".*/\\1/p\')',
  },
  {
    has: 'echo "$TOKEN"',
    why: 'the token of another program',
    given: 'TOKEN=$(bnpl widget-token --trx order-1002 --amount 250000 --email ana@example.com --raw)',
  },
  { has: 'informe download PREAPPROVEID', why: 'a report that is there is not replaced', given: NO_REPORTS },
  { has: 'informe download --from', why: 'a report that is there is kept', given: NO_REPORTS },
  {
    has: 'contract export',
    why: 'files that are there are not replaced',
    given: 'rm -rf day.har fixtures test/fixtures',
  },
  { has: 'events confirm 12', why: 'the service does not know an event of `webhooks trigger`', code: 10 },
  { has: '--raw > body.json', why: 'other examples have another body.json', after: RESTORED },
  { has: 'sandbox pay order-1001 --reject', why: 'an order is paid once', given: NEW_ORDER },
  { has: 'cancel order-1001', why: 'a loan is cancelled once', given: PAID_ORDER },
  {
    has: 'cancel --from',
    why: 'a loan is cancelled once',
    given: `${PAID_ORDER}; printf 'trx\\n%s\\n' $TRX > cancelled.csv; rm -f refunds.*`,
  },
  { has: 'entities set', why: 'another command adds the entity', given: NEW_ENTITY },
  { has: 'sandbox pay order-1001', why: 'an order is paid once', given: NEW_ORDER },
  { has: 'fault clear 1f2e3d4c', why: 'the fault of another command', given: NEW_FAULT },
  { has: 'sandbox fault add', why: 'the fault would hit the examples after it', after: 'bnpl sandbox fault clear -q' },
  {
    has: 'sandbox changes --since paid',
    why: 'the moment is marked first',
    given: 'bnpl sandbox snapshot save paid --force -q',
  },
  {
    has: 'sandbox reset',
    why: 'the examples after it need the state',
    given: 'bnpl sandbox snapshot save whole --force -q',
    after: 'bnpl sandbox snapshot load whole -y -q',
  },
  {
    has: 'bnpl profiles add acme --environment beta --base-url https://…',
    why: 'the first account of a machine',
    given: 'for each in acme shop shop-beta acme-production; do bnpl profiles rm $each -y; done',
    after: RESTORED,
  },
  {
    has: 'bnpl profiles add shop',
    why: 'asks, and there is no terminal to ask on; test/commands/questions.test.ts has one',
    given: 'bnpl profiles rm shop -y',
    code: 2,
    after: RESTORED,
  },
  {
    has: 'pass acme/beta | bnpl profiles add',
    why: 'a name is taken once',
    given: 'bnpl profiles rm acme -y',
    after: RESTORED,
  },
  {
    has: 'bnpl profiles add acme',
    why: 'asks, and there is no terminal to ask on; test/commands/questions.test.ts has one',
    given: 'bnpl profiles rm acme -y',
    code: 2,
    after: RESTORED,
  },
  {
    has: 'profiles set baseUrl https://api.example.com --api-key-file',
    why: 'no service answers there, so the new key is not accepted',
    code: 9,
  },
  { has: 'profiles add production', why: 'a name is taken once', given: 'bnpl profiles rm production -y -q || :' },
  { has: 'profiles rm-secret acme', why: 'asks before it removes', code: 2 },
  { has: 'history rm order-1001', why: 'asks before it removes', code: 2 },
  { has: 'bnpl profiles ', why: 'changes an account', after: RESTORED },
  {
    has: '--input body.json',
    why: 'a body of one’s own',
    given: `echo '{"url":"https://shop.example/own"}' > body.json`,
    after: RESTORED,
  },
]

/** Returns what is special about an example; for most it is empty. */
export const unusual = ({ from, script }: Example): Partial<Unusual> =>
  UNUSUAL.find(({ has, of = from }) => script.includes(has) && of === from) ?? {}

/** Returns the script with the ids and addresses of this machine in place of those that no machine has. */
export function onThisMachine(script: string, standIns: Counter['standIns']): string {
  const put = (name: string) => standIns[name] ?? ''
  return script
    .replace(/(evaluate --rut .*|widget-token) --trx order-1001/, '$1 --trx order-1002')
    .replace('order-1001 --pre-approve-id PREAPPROVEID', `order-1002 --pre-approve-id ${put('orderPreApproveId')}`)
    .replace('--event EVENTID', `--event E1`)
    .replace('sandbox pay order-1001', 'sandbox pay $TRX')
    .replace('cancel order-1001', 'cancel $TRX')
    .replace('ENTITYID', '$ENTITY')
    .replace('1f2e3d4c', '$FAULT')
    .replace('--base-url https://… --payment-url https://… --entity-id … --public-key …', put('account'))
    .replace('jq -r .idPreAprobacion', `sed -n 's/.*"idPreAprobacion": "\\([^"]*\\)".*/\\1/p'`)
    .replaceAll('PREAPPROVEID2', put('preApproveId2'))
    .replaceAll(/PREAPPROVEID1?/g, put('preApproveId'))
    .replaceAll('LEADID', put('leadId'))
    .replaceAll('SIGNATURE', put('signature'))
    .replaceAll(/(events (?:show|confirm)) 12\b/g, '$1 1')
    .replaceAll('0190a5b2-7c3e-7d60-8000-6a1f0c2b9d44', 'E1')
    .replaceAll(/(webhooks test) https?:\S+/g, `$1 ${put('receiver')}`)
    .replaceAll(/(trigger \w+ --to|replay .*--forward-to) https?:\S+/gs, `$1 ${put('hook')}`)
    .replaceAll(/http:\/\/127\.0\.0\.1:4555\b/g, put('baseUrl'))
}
