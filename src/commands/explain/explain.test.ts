import { expect, test } from 'vitest'
import { machine } from '../../../test/harness.ts'
import { ENDPOINTS, type EndpointName, endpointOf } from '../../contract/endpoints.ts'
import { EXIT_CODES } from '../../errors.ts'

test('every code of the contract is explained, with its endpoint and its exit code', async () => {
  using m = machine()
  for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
    const { method, path, statuses } = endpointOf(name)
    for (const [status, { codes, outcome }] of Object.entries(statuses)) {
      for (const [code, meaning] of Object.entries(codes ?? {})) {
        expect((await m.run(`explain ${code} --json`)).json()).toContainEqual(
          expect.objectContaining({
            code,
            meaning,
            endpoint: `${method} ${path} (${status})`,
            exit: EXIT_CODES[outcome],
          }),
        )
      }
      expect((await m.run(`explain ${status} --json`)).json()).toContainEqual(
        expect.objectContaining({ about: 'status', endpoint: `${method} ${path}`, exit: EXIT_CODES[outcome] }),
      )
    }
  }
})

test('the odd statuses of the report endpoint are explained beside the general ones', async () => {
  using m = machine()
  const { stdout } = await m.run('explain 401')
  expect(stdout).toContain('GET /partner/pre-approve/{preApproveId}/informe')
  expect(stdout).toContain('the pre-approval belongs to another partner')
  expect(stdout).toContain('on every other endpoint (not in the specification): the service')
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})

test.each([
  ['explain 12', 'outcome-unknown'],
  ['explain outcome-unknown', 'exit 12'],
  ['explain HTTP_429', 'rate limit exceeded'],
  ['explain 0', 'completely written'],
  ['explain 130', 'Ctrl-C'],
  ['explain 201', 'POST /partner/webhook'],
  ['explain 404', 'no loan for this transaction'],
  ['explain 418', 'on any endpoint'],
  ['explain err_loan_not_found', 'gap 21'],
])('%s', async (line, words) => {
  using m = machine()
  const ran = await m.run(line)
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toContain(words)
})

test('every kind of error is explained', async () => {
  using m = machine()
  const all = (await m.run('explain --json')).json()
  expect(all.map(({ kind }: { kind: string }) => kind)).toEqual(expect.arrayContaining(Object.keys(EXIT_CODES)))
})

test('an unknown code is exit 6 and says what to do', async () => {
  using m = machine()
  for (const code of ['ERR_NOBODY_KNOWS', '99', 'x']) {
    const ran = await m.run(['explain', code, '--json'])
    expect(ran).toMatchObject({ code: 6, stdout: '' })
    expect(ran.error().kind).toBe('not-found')
    expect(ran.error().hint).toContain(
      code.startsWith('ERR_') ? 'the service may have others' : 'See all of them: bnpl explain',
    )
  }
})
