import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Program, program, until } from './program.ts'

const RUT = '12345670-K'
const EMAIL = 'canary.person@example.com'

interface Account {
  product: string
  evaluationModule: boolean
  active: boolean
  apiKey: string
  publicKey: string
  entityId: string
}

/** Runs commands on a machine of their own against a served sandbox, and keeps everything they said beside their results. */
async function scenario(p: Program) {
  const client = program()
  const { ready, baseUrl } = await p.sandbox('--allow-http')
  const envOf = (account: Account) => ({
    BNPL_BASE_URL: baseUrl,
    BNPL_PAYMENT_URL: ready.paymentUrl,
    BNPL_API_KEY: account.apiKey,
    BNPL_PUBLIC_KEY: account.publicKey,
    BNPL_ENTITY_ID: account.entityId,
  })
  const accounts = ready.partners as Account[]
  const bnpl = accounts.find(({ product }) => product === 'bnpl') as Account
  const realEstate = accounts.find(
    ({ product, evaluationModule, active }) => product === 'real-estate' && evaluationModule && active,
  ) as Account
  const talk: string[] = []
  return {
    client,
    talk,
    bnpl,
    realEstate,
    async run(account: Account, words: string | string[], env: Record<string, string> = {}) {
      const line = typeof words === 'string' ? words.split(' ') : words
      const ended = await client.run([...line, '--verbose'], { ...envOf(account), ...env })
      talk.push(`$ ${line[0]} ${line[1]}\n${ended.stderr}`)
      return ended
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  }
}

/** Looks again and again at the arguments of every process of this machine that runs the program or was started by it. */
function watchArguments() {
  const seen = new Set<string>()
  const timer = setInterval(() => {
    for (const path of globSync('/proc/[0-9]*/cmdline')) {
      try {
        seen.add(readFileSync(path, 'utf8'))
      } catch {
        // It has ended meanwhile.
      }
    }
  }, 20)
  return { seen, [Symbol.dispose]: () => clearInterval(timer) }
}

/** Files of a folder that hold a text, in whatever encoding it is written there. */
function filesWith(dir: string, secret: string, except: RegExp): string[] {
  return globSync('**/*', { cwd: dir })
    .filter((name) => !except.test(name) && statSync(join(dir, name)).isFile())
    .filter((name) => readFileSync(join(dir, name)).includes(secret))
}

test('row 85: six known secrets, everything at --verbose: none in what was said or started, in the history, a ledger, a temporary file', {
  timeout: 120_000,
}, async () => {
  await using p = program()
  await using s = await scenario(p)
  using processes = watchArguments()
  const { bnpl, realEstate, client } = s
  const page = ['--success-url', 'https://shop.example/ok', '--error-url', 'https://shop.example/no']

  await s.run(bnpl, `evaluate --rut ${RUT} --amount 250000 --trx T1 --json`)
  await s.run(bnpl, 'select --installments 6')
  const widgetToken = (await s.run(bnpl, `widget-token --email ${EMAIL} --raw`)).stdout.trim()
  await s.run(bnpl, ['pay-url', '--email', EMAIL, ...page])
  await p.run('sandbox pay T1')
  await s.run(bnpl, 'verify T1 --json')
  await s.run(bnpl, 'verify nothing --json')
  await s.run(bnpl, 'walkthrough --json')
  writeFileSync(join(client.dir, 'rows.csv'), `rut,amount,externalTrxId\n${RUT},50000,B1\n${RUT},60000,B2\n`)
  await s.run(bnpl, 'evaluate --from rows.csv --out rows-out.csv')
  const hmac = JSON.parse((await s.run(bnpl, 'webhooks add http://127.0.0.1:1/hook --json')).stdout).secret as string
  await s.run(bnpl, 'webhooks list')
  await s.run(bnpl, 'webhooks rm --url http://127.0.0.1:1/hook -y')
  await s.run(bnpl, `smoke --rut ${RUT}`)
  await s.run(bnpl, 'doctor')
  await s.run(bnpl, 'history')
  await s.run(bnpl, 'verify T1', { BNPL_API_KEY: `${bnpl.apiKey}x` })

  const token = JSON.parse(
    (await s.run(realEstate, 'webhooks subscribe http://127.0.0.1:1/lead --event new_lead --json')).stdout,
  ).secret as string
  const lead = JSON.parse((await p.run(`sandbox lead --now --rut ${RUT} --json`)).stdout)
  await s.run(realEstate, `evaluations get --rut ${RUT} --json`)
  await s.run(realEstate, `evaluations get --rut 9999999-3`)
  const link = JSON.parse((await s.run(realEstate, `informe get ${lead.preApproveId} --json`)).stdout)
  const signature = /Signature=([0-9a-f]+)/.exec(JSON.stringify(link))?.[1] ?? ''
  await s.run(realEstate, `informe download ${lead.preApproveId}`)
  await s.run(realEstate, 'informe download no-such-id')

  const listening = client.start(
    `webhooks listen --scheme token --port 0 --ready-file ${join(client.dir, 'listening.json')} --until 1 --verbose`,
    { BNPL_WEBHOOK_SECRET: token },
  )
  await until(() => existsSync(join(client.dir, 'listening.json')), listening)
  const { url } = JSON.parse(readFileSync(join(client.dir, 'listening.json'), 'utf8'))
  const event = ['webhooks', 'trigger', 'new_lead', '--to', url, '--set', `rut=${RUT}`, '--set', `email=${EMAIL}`]
  await s.run(realEstate, event, { BNPL_WEBHOOK_SECRET: token })
  await s.run(realEstate, event, { BNPL_WEBHOOK_SECRET: `${token}x` })
  s.talk.push((await listening.ended).stderr)
  // What is shown of the inbox; the event itself is kept there, and the person with it, until it is pruned.
  for (const line of ['webhooks events list', 'webhooks events list --json', 'webhooks events show #1']) {
    const shown = await s.run(realEstate, line)
    expect(shown.code).toBe(0)
    s.talk.push(shown.stdout)
  }

  const digits = RUT.slice(0, 8)
  const secrets = {
    key: bnpl.apiKey,
    otherKey: realEstate.apiKey,
    hmac,
    token,
    widgetToken,
    signature,
    digits,
    email: EMAIL,
  }
  const said = s.talk.join('\n')
  expect(said).toContain('→ 200')
  expect([...processes.seen].some((each) => each.includes('webhooks'))).toBe(true)
  for (const [name, secret] of Object.entries(secrets)) {
    expect([name, secret.length > 7]).toEqual([name, true])
    expect([name, said.includes(secret)]).toEqual([name, false])
    // The user's own file of customers, its results, the report and the inbox hold the person by design.
    const person = name === 'digits' || name === 'email' ? '|state/inbox.*' : ''
    const own = new RegExp(`^(rows.*|PreAprobacion_.*${person})$`)
    expect([name, filesWith(client.dir, secret, own)]).toEqual([name, []])
    // Whom a command is about is typed: that is seen by whoever sees the processes, and is no secret of ours.
    if (person === '') expect([name, [...processes.seen].filter((each) => each.includes(secret))]).toEqual([name, []])
  }
})
