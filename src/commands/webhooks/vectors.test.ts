import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { machine } from '../../../test/kit/harness.ts'
import type { DeliveryVector } from '../../receiver/conformance/vectors.ts'
import { createWebhooks, verifyRawBody } from '../../webhooks.ts'

async function vectorsOf(line: string): Promise<DeliveryVector[]> {
  using m = machine()
  const ran = await m.run(line)
  expect([ran.code, ran.stderr]).toEqual([0, ''])
  return ran.json()
}

/** What a receiver answers to a delivery. */
async function answerTo({ scheme, secret, algorithm, encoding, headers, bodyBase64 }: DeliveryVector) {
  const onEvent = () => {}
  const webhooks = createWebhooks({ scheme, secret, algorithm, encoding, onEvent, onError: () => {} })
  return (await webhooks.handle(Buffer.from(bodyBase64, 'base64'), headers)).status
}

test.each(['', ' --hmac-algorithm sha512 --hmac-encoding base64'])(
  'a correct receiver accepts every valid delivery and refuses every forged delivery of both schemes%s',
  async (more) => {
    const vectors = await vectorsOf(`webhooks vectors --json${more}`)
    for (const vector of vectors)
      expect([vector.scheme, vector.name, await answerTo(vector)]).toEqual([
        vector.scheme,
        vector.name,
        vector.valid ? 200 : 401,
      ])
    for (const scheme of ['hmac', 'token'])
      for (const valid of [true, false])
        expect(vectors.filter((each) => each.scheme === scheme && each.valid === valid).length).toBeGreaterThan(5)
  },
)

test('the bodies of the vectors are readable, and the repeated delivery is included twice, unchanged', async () => {
  const vectors = await vectorsOf('webhooks vectors --scheme hmac --json')
  expect(new Set(vectors.map(({ scheme }) => scheme))).toEqual(new Set(['hmac']))
  for (const { body, bodyBase64 } of vectors) expect(Buffer.from(body).toString('base64')).toBe(bodyBase64)
  const again = vectors.filter(({ name }) => name === 'a repeated delivery is accepted')
  expect(again).toHaveLength(2)
  expect(again[0]).toEqual(again[1])
  const large = vectors.find(({ name }) => name.includes('large'))
  expect(large?.body.length).toBeGreaterThan(256 * 1024)
})

test('a receiver that signs parsed JSON or accepts the beginning of a signature fails the vectors', async () => {
  const vectors = await vectorsOf('webhooks vectors --scheme hmac --json')
  const script = `
    import { createHmac } from 'node:crypto'
    const wrong = JSON.parse(await new Promise((done) => { let t = ''; process.stdin.on('data', (c) => (t += c)).on('end', () => done(t)) }))
      .filter(({ secret, headers, bodyBase64, valid }) => {
        let signature = ''
        try {
          const parsed = JSON.stringify(JSON.parse(Buffer.from(bodyBase64, 'base64')))
          signature = createHmac('sha256', secret).update(parsed).digest('hex')
        } catch {}
        const given = headers['service-signature'] ?? ''
        return (given !== '' && signature.startsWith(given)) !== valid
      })
    console.log(JSON.stringify([...new Set(wrong.map(({ name }) => name))]))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    input: JSON.stringify(vectors),
    encoding: 'utf8',
  })
  expect(JSON.parse(stdout)).toEqual([
    'a body with unusual spacing is accepted, because its raw bytes are verified',
    'a delivery with only the beginning of the right signature is refused',
  ])
})

test('at a terminal the vectors are a table of what must be accepted and refused', async () => {
  using m = machine()
  const ran = await m.run('webhooks vectors', { stdoutIsTty: true })
  expect(ran.stdout).toMatch(/hmac +a delivery with a wrong signature is refused +refused/)
  expect(ran.stderr).toContain('--json')
  expect((await m.run('webhooks vectors --scheme both')).code).toBe(2)
})

test('the vectors of a service that signs a timestamp have its header, and the library accepts and refuses them as they say', async () => {
  using m = machine()
  const vectors = (await m.run('webhooks vectors --scheme hmac --json', { env: { BNPL_SERVICE: 'banca.me' } })).json()
  const first = vectors.find((each: { valid: boolean }) => each.valid)
  expect(first.headers['bancame-signature']).toMatch(/^t=\d{10},signature=[\da-f]{64}$/)
  for (const { name, valid, secret, headers, bodyBase64 } of vectors) {
    const distrust = await verifyRawBody(Buffer.from(bodyBase64, 'base64'), headers, { secret })
    expect([name, distrust === undefined]).toEqual([name, valid])
    if (name === first.name)
      expect(await verifyRawBody(Buffer.from(bodyBase64, 'base64'), headers, { secret, signatureForm: 'body' })).toBe(
        'wrong',
      )
  }
})
