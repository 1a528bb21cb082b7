import { expect, test } from 'vitest'
import { fastClock, machine } from '../kit/harness.ts'
import { raw, request, statusOf } from '../kit/raw-http.ts'
import { whileServed } from '../kit/served.ts'

const list = ({ port, apiKey }: { port: number; apiKey: string }) =>
  raw(port, request(port, 'GET /partner/webhook HTTP/1.1', [`Authorization: Bearer ${apiKey}`]))

test('over HTTP, a lost answer closes the connection, and a truncated answer is shorter than its content length', async () => {
  using m = machine()
  // The fault is added while no sandbox is served. Faults are part of the state, so the served sandbox has it too.
  expect(await m.run('sandbox fault add listWebhooks --cut')).toMatchObject({ code: 0 })
  await whileServed(m, async (served) => {
    expect(await list(served)).toBe('')
    await m.run('sandbox fault add listWebhooks --truncate 4')
    const [head = '', body] = (await list(served)).split('\r\n\r\n')
    expect(head).toContain('content-length: 11')
    expect(body).toBe('{"da')
    expect(await list(served)).toContain('{"data":[]}')
  })
})

test('with sandbox start --customer the address of the payment page redirects to the shop at once', async () => {
  using m = machine()
  await whileServed(
    m,
    async () => {
      await m.run('evaluate --rut 11222333-9 --amount 250000 --trx t1 -p sandbox')
      const to = '--success-url http://127.0.0.1:9/ok --error-url http://127.0.0.1:9/error'
      const { stdout } = await m.run(`pay-url --amount 250000 --email a@b.cl --trx t1 ${to} -p sandbox`)
      const { status, headers } = await fetch(stdout.trim(), { redirect: 'manual' })
      expect([status, headers.get('location')]).toEqual([303, expect.stringMatching(/^http:\/\/127.0.0.1:9\/ok\?/)])
      expect((await m.run('verify t1 -p sandbox --json')).json()).toMatchObject({ state: 'ACTIVE' })
    },
    '--customer',
  )
})

test('the fault “refused” resets one connection, and the next connection is answered', async () => {
  using m = machine()
  await m.run('sandbox fault add listWebhooks --kind refused')
  await whileServed(m, async ({ port, apiKey }) => {
    const list = () =>
      fetch(`http://127.0.0.1:${port}/partner/webhook`, { headers: { authorization: `Bearer ${apiKey}` } })
    await expect(list()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
    expect((await list()).status).toBe(200)
  })
})

test('a fault with status 429 has Retry-After unless it is left out [specification F18]', async () => {
  using m = machine()
  const add = async (options: string) =>
    (await m.run(`sandbox fault add getInforme --status 429 ${options} --json`)).json().retryAfter
  expect([await add(''), await add('--retry-after 5s'), await add('--retry-after none')]).toEqual([1, 5, null])
  const listed = (await m.run('sandbox fault list')).stdout
  expect(listed.match(/Retry-After \d/g)).toEqual(['Retry-After 1', 'Retry-After 5'])
  expect((await m.run('sandbox status')).stdout).toContain('1000 calls at once, then 250 a second')
})

test('a fault has the same effect on a command, whether the sandbox is served or not', async () => {
  using m = machine()
  const outcomes = async () => {
    const seen: { fault: string; code: number; error: string }[] = []
    for (const fault of ['--cut', '--truncate 3', '--status 429 --always', '--status 503 --always', '--delay 2s']) {
      await m.run(`sandbox fault add startWidget ${fault}`)
      const isLate = fault.startsWith('--delay')
      const line = `widget-token --amount 250000 --email a@b.cl --trx t1 -p sandbox --json --timeout ${isLate ? '600ms' : '50s'}`
      // The waits between attempts are shortened, except where the fault is a late answer, which needs real time.
      const ran = await m.run(line, isLate ? {} : { clock: fastClock(20) })
      seen.push({ fault, code: ran.code, error: ran.error().code })
      await m.run('sandbox fault clear')
    }
    return seen
  }
  const embedded = await outcomes()
  expect(embedded.map(({ code }) => code)).toEqual([12, 12, 7, 12, 12])
  expect(await whileServed(m, outcomes)).toEqual(embedded)
})

test('faults are listed in words, and cleared one by one or all', async () => {
  using m = machine()
  expect((await m.run('sandbox fault list')).stdout).toBe('No fault is active.\n')
  expect((await m.run('sandbox fault list --json')).json()).toEqual([])
  const added = (await m.run('sandbox fault add evaluate --status 503 --delay 1500ms --times 2 --nth 3 --json')).json()
  expect(added).toMatchObject({ endpoint: 'evaluate', status: 503, delayMs: 1500, times: 2, skip: 2 })
  await m.run('sandbox fault add any --cut --always')
  const { stdout } = await m.run('sandbox fault list')
  expect(stdout).toMatch(/evaluate {2}the next 2 after 2 other calls {2}1500ms late, 503/)
  expect(stdout).toMatch(/any {7}all {29}the answer is lost/)
  expect(await m.run(`sandbox fault clear ${added.id}`)).toMatchObject({ code: 0, stdout: '1 fault removed\n' })
  expect(await m.run(`sandbox fault clear ${added.id} --json`)).toMatchObject({ code: 6 })
  expect((await m.run('sandbox fault clear --json')).json()).toEqual({ cleared: 1 })
})

test('kinds of faults are listed, armed by name and shown with their effects', async () => {
  using m = machine()
  const kinds = (await m.run('sandbox fault kinds --json')).json()
  const shown = (await m.run('sandbox fault kinds', { stdoutIsTty: true })).stdout
  expect(shown).not.toContain('…')
  for (const line of shown.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  expect(kinds).toContainEqual({ name: 'twice', at: 'delivery', does: 'the event is delivered twice' })
  for (const { name, at } of kinds)
    expect(await m.run(`sandbox fault add ${at === 'call' ? 'any' : at} --kind ${name}`)).toMatchObject({ code: 0 })
  const { stdout } = await m.run('sandbox fault list')
  expect(stdout).toMatch(/any {7}the next {2}slow, 30s late/)
  expect(stdout).toMatch(/page {6}the next {2}no-return/)
  expect(await m.run('sandbox fault add page --kind slow')).toMatchObject({ code: 2 })
})

test.each([
  '',
  '--kind nope',
  '--times 2 --always --cut',
  '--status x',
  '--truncate -1',
  '--nth 0',
  '--status 200',
  '--cut --status 500',
])('sandbox fault add any %s is a usage error', async (options) => {
  using m = machine()
  expect(await m.run(`sandbox fault add any ${options}`)).toMatchObject({ code: 2, stdout: '' })
  expect((await m.run('sandbox fault list --json')).json()).toEqual([])
})

test.each([
  ['evaluat', /^error: “evaluat” is not a place .*\n {2}Use a name such as evaluate, .*bnpl sandbox fault endpoints$/m],
  ['Page --kind slow', /^error: “Page” is not a place .*\n {2}Use a name such as page, /m],
  [
    'evaluate --status 200',
    /^error: --status “200” is not a status from 400 to 599\n {2}Use .*, use --kind: bnpl sandbox fault kinds$/m,
  ],
  ['evaluate --status 700', /^error: --status “700” is not a status from 400 to 599/m],
  ['evaluate --delay 20m', /^error: --delay “20m” is more than ten minutes\n {2}Use 10m or less\.$/m],
  ['evaluate --delay 0s', /^error: this fault has no effect, .* --status, .*\n {2}Add --kind KIND/m],
  ['evaluate --cut --status 500', /^error: --cut cannot be combined with --status\n {2}See .*fault add --help$/m],
  ['evaluate --kind cut-after --status 500', /^error: --kind cut-after cannot be combined with --status\n/m],
  ['evaluate --kind cut-within --cut', /^error: --cut cannot be combined with --kind cut-within\n/m],
  ['evaluate --cut --truncate 0', /^error: --cut cannot be combined with --truncate\n/m],
  ['evaluate --before --delay 1s', /^error: --before needs --cut\n/m],
  ['evaluate --delay 1s --code ERR_X', /^error: --code needs --status\n/m],
  ['evaluate --delay 1s --retry-after 2s', /^error: --retry-after needs --status\n/m],
  [
    'evaluate --status 500 --code x',
    /^error: --code must have 2 to 80 capital letters.*\n {2}Use a code such as ERR_/m,
  ],
  ['evaluate --kind twice', /^error: --kind twice cannot be used for a call; .* refused, .*\n {2}List .*fault kinds$/m],
  ['page --kind slow', /^error: --kind slow cannot be used for the payment page; .*\n {2}List .*fault kinds$/m],
  ['page', /^error: a fault of the payment page needs --kind\n {2}List .*fault kinds$/m],
  ['page --kind rejected --delay 1s', /^error: --delay is only for calls and deliveries\n/m],
  ['delivery --kind twice --status 500', /^error: --status is for calls, so it cannot be used for a delivery\n/m],
])('sandbox fault add %s: the error names what was typed, and the hint what to type', async (line, said) => {
  using m = machine()
  const ran = await m.run(`sandbox fault add ${line} --json`)
  expect([ran.code, ran.stdout, ran.stderr]).toEqual([2, '', expect.stringMatching(said)])
  expect(ran.error().code).not.toMatch(/^ERR_/)
})

test('after a fault closes a connection, the next call is answered normally', async () => {
  using m = machine()
  await m.run('sandbox fault add any --cut --before')
  await whileServed(m, async (served) => {
    expect(await list(served)).toBe('')
    expect(statusOf(await list(served))).toBe(200)
  })
})
