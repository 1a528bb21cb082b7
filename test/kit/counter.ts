import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sign } from '../../src/domain/signature.ts'
import { FILES as RECORDED } from './every-command.ts'
import { machine } from './harness.ts'
import { runOnce, serve, serveOnce, serves } from './served.ts'
import { type ShellCall, type ShellEnd, shell } from './shell.ts'

/** Stand-ins for other programs that the examples call. */
const OTHERS = `
pass() { cat key.txt; }; vault() { cat secret.txt; }; lp() { cat > printed.pdf; }; less() { cat; }
command -v jq > /dev/null || jq() { cat; }
`

const SECRET = 'whsec-1234567890'
const DELIVERY = '{"eventId":"E2","data":{"externalTrxId":"order-1001"}}'
const PATHS = {
  'paths.evaluationByLead': '/partner/pre-approve/lead/{leadId}',
  'paths.leads': '/partner/leads',
  'paths.lead': '/partner/leads/{leadId}',
}

/** A script calls this word instead of a command, to make the files and profiles again that earlier scripts have used up. */
export const RESTORE = 'restore'

export type Surface = 'pipe' | 'terminal'

/** The machine on which the examples run, in this process or in bash. */
export interface Counter {
  /** For each text that no machine has, such as `PREAPPROVEID`, the value that replaces it on this machine. */
  standIns: Readonly<Record<string, string>>
  /** Runs a command in this process, without the shell. */
  call(words: readonly string[]): Promise<ShellEnd>
  /** Runs scripts in bash. If `surface` says so, a command that writes to the script's own stdout is at a terminal of 80 columns. */
  run(scripts: readonly string[], surface: Surface): Promise<ShellEnd[]>
  /** Makes the files and profiles again that commands have used up. */
  restore(): void
  [Symbol.asyncDispose](): Promise<void>
}

/** A machine with everything that the help and the docs mention: accounts, a paid order, a lead, files, a sandbox and receivers. */
export async function counter(): Promise<Counter> {
  const m = machine()
  const servers: (() => Promise<unknown>)[] = []
  const background = async (line: string): Promise<any> => {
    const begun = await serve(m, line.split(' '), {})
    servers.push(begun.end)
    return begun.ready
  }
  const must = async (line: string, stdin?: string) => {
    const ran = await m.run(line, stdin === undefined ? {} : { stdin })
    if (ran.code !== 0) throw new Error(`${line}: ${ran.stderr}`)
    return ran.stdout
  }
  const sandbox = await background('sandbox start --allow-http')
  const [shop, estate] = sandbox.partners
  const files = {
    'key.txt': estate.apiKey,
    'production.key': estate.production.apiKey,
    'secret.txt': SECRET,
    'new.txt': 'whsec-0987654321',
    'customers.csv': 'rut,amount,externalTrxId\n11222333-9,50000,C1\n',
    'orders.csv': 'externalTrxId,expectedAmount\norder-1001,250000\n',
    'day.ndjson': RECORDED['seen.ndjson'],
    'secrets.txt': `${SECRET}\n${(await must('webhooks listen -p sandbox --print-secret')).trim()}\n`,
  }
  const put = (texts: Record<string, string>) => {
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(m.dir, name), text, { mode: 0o600 })
  }
  const profiles = {
    acme: [estate, sandbox, 'beta'],
    shop: [shop, sandbox, 'beta'],
    'shop-beta': [shop, sandbox, 'beta'],
    'acme-production': [{ ...estate, ...estate.production }, sandbox.production, 'production'],
  } as const
  put(files)
  for (const [name, [account, at, environment]] of Object.entries(profiles)) {
    const own = `--public-key ${account.publicKey} --entity-id ${account.entityId} --environment ${environment}`
    const where = `--base-url ${at.baseUrl} --payment-url ${at.paymentUrl}`
    await must(`profiles add ${name} ${where} ${own} --api-key-stdin`, account.apiKey)
    await must(`profiles add-secret ${name} --secret-file secret.txt`)
    for (const [setting, path] of Object.entries(PATHS)) await must(`profiles set ${setting} ${path} -p ${name}`)
  }
  await must('profiles use acme')
  const profilesFile = join(m.configDir, 'profiles.json')
  const profilesText = readFileSync(profilesFile)
  for (const trx of ['order-1002', 'order-1001']) await must(`evaluate --rut 11222333-9 --amount 250000 --trx ${trx}`)
  await must('sandbox pay order-1001')
  const order = JSON.parse(await must('history show order-1002 --json'))
  const hook = await acceptAll()
  servers.push(hook.end)
  const receiver = await background('webhooks listen --secret-file secrets.txt')
  const leads = [await must('sandbox lead --now --rut 11222333-9 --json'), await must('sandbox lead --now --json')]
  const [first, second] = leads.map((json) => JSON.parse(json))
  put({ 'ids.csv': `preApproveId\n${first.preApproveId}\n`, 'approvals.csv': `preApproveId\n${first.preApproveId}\n` })
  await must(`webhooks trigger loan_approved --to ${receiver.url} --secret-file secret.txt --event-id E1`)
  const { urlInforme } = JSON.parse(await must('evaluations get --rut 11222333-9 -p sandbox:real-estate --json'))

  const restore = () => {
    put({ ...files, 'body.json': DELIVERY })
    writeFileSync(profilesFile, profilesText)
  }
  let surface: Surface = 'pipe'
  const answer = async (call: ShellCall): Promise<ShellEnd> => {
    if (call.words[0] === RESTORE) {
      restore()
      return { code: 0, stdout: '', stderr: '' }
    }
    const atTerminal = surface === 'terminal' && call.atScript
    const options = {
      env: { PATH: `${join(m.dir, 'bin')}:${process.env.PATH}`, HOME: m.dir, ...call.env },
      ...(call.stdin ? { stdin: call.stdin } : {}),
      stdoutIsTty: atTerminal,
      columns: 80,
      color: atTerminal,
    }
    return serves(call.words) ? serveOnce(m, call.words, options) : runOnce(m, call.words, options)
  }
  mkdirSync(join(m.dir, 'bin'))
  writeFileSync(join(m.dir, 'bin', 'npm'), '#!/bin/sh\n', { mode: 0o755 })
  const bash = await shell(m.dir, `${OTHERS}URL_INFORME='${urlInforme}'\n`, answer)
  return {
    standIns: {
      preApproveId: first.preApproveId,
      preApproveId2: second.preApproveId,
      orderPreApproveId: order.preApproveId,
      leadId: first.leadId,
      account: `--base-url ${sandbox.baseUrl} --payment-url ${sandbox.paymentUrl} --entity-id ${estate.entityId} --public-key ${estate.publicKey}`,
      hook: hook.url,
      receiver: receiver.url,
      baseUrl: sandbox.baseUrl,
      paymentUrl: sandbox.paymentUrl,
      signature: sign(Buffer.from(DELIVERY), SECRET, { algorithm: 'sha256', encoding: 'hex' }),
    },
    call: (words) => runOnce(m, words, {}),
    async run(scripts, where) {
      surface = where
      restore()
      return bash.run(scripts)
    },
    restore,
    async [Symbol.asyncDispose]() {
      await bash[Symbol.asyncDispose]()
      for (const end of servers.reverse()) await end()
      m[Symbol.dispose]()
    },
  }
}

/** Starts a handler that accepts everything. */
async function acceptAll() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    end: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}
