import { expect, test } from 'vitest'
import { BASE, sandboxKit } from '../../../../test/kit/sandbox-kit.ts'
import { LEAD_EVALUATION_MS } from '../../conventions.ts'

const RUT = '12345678-5'

async function estate() {
  const kit = await sandboxKit()
  const key = kit.estate.apiKey
  return {
    ...kit,
    read: (path: string) => kit.send('GET', `/partner/${path}`, { key }),
    events: () => kit.store.db.all<any>('select * from events order by createdAt'),
  }
}

test('a lead exists at once, and its evaluation only when it is due', async () => {
  await using it = await estate()
  const { leadId, preApproveId } = (await it.control('lead', { rut: RUT, projectId: 'P1' })).data
  expect(preApproveId).toBeNull()
  expect((await it.read('leads')).data).toMatchObject([{ leadId, rut: RUT, idProyecto: 'P1', idPreAprobacion: null }])
  expect(await it.read(`pre-approve/lead/${leadId}`)).toMatchObject({ status: 404, code: 'ERR_EVALUATION_NOT_FOUND' })
  expect(await it.read(`pre-approve/rut/${RUT}`)).toMatchObject({ status: 404 })
  expect((await it.events()).map(({ type }) => type)).toEqual(['new_lead'])

  await it.control('clock', { advanceMs: LEAD_EVALUATION_MS - 1 })
  expect(await it.read(`pre-approve/lead/${leadId}`)).toMatchObject({ status: 404 })
  it.clock.advance(1)
  const evaluated = (await it.read(`pre-approve/lead/${leadId}`)).data
  expect((await it.read(`pre-approve/rut/${RUT}`)).data).toEqual(evaluated)
  expect(evaluated).toMatchObject({ leadId, rut: RUT, resultado: 'approved', idProyecto: 'P1' })
  expect(evaluated.urlInforme).toMatch(`${BASE}/partner/informe/`)
  const [row] = (await it.read('leads')).data
  expect(row).toMatchObject({ leadId, idPreAprobacion: evaluated.idPreAprobacion })
  expect(row).not.toHaveProperty('urlInforme')
  const details = (await it.read(`leads/${leadId}`)).data
  expect(details).toMatchObject({ leadId, estado: 'EVALUADO' })
  expect(details).not.toHaveProperty('urlInforme')
  expect(details).not.toHaveProperty('idPreAprobacion')
})

test('new_lead has 11 fields, and pre_approve has the whole evaluation in 51 fields', async () => {
  await using it = await estate()
  const { leadId, preApproveId } = (await it.control('lead', { rut: RUT, now: true })).data
  const [lead, evaluation] = (await it.events()).map(({ data }) => JSON.parse(data))
  expect(Object.keys(lead)).toHaveLength(11)
  expect(lead).toMatchObject({ leadId, rut: RUT })
  expect(Object.keys(evaluation)).toHaveLength(51)
  expect(evaluation).toMatchObject({ ...lead, idPreAprobacion: preApproveId, urlInforme: expect.any(String) })
  expect(evaluation).toEqual((await it.read(`pre-approve/lead/${leadId}`)).data)
  expect(evaluation.preLoanRequestId).not.toBe(preApproveId)
})

test('a lead gets the chosen outcome, otherwise the outcome of its test customer', async () => {
  await using it = await estate()
  const outcome = async (input: object) => {
    const { leadId } = (await it.control('lead', { ...input, now: true })).data
    return (await it.read(`pre-approve/lead/${leadId}`)).data.resultado
  }
  expect(await outcome({})).toBe('approved')
  expect(await outcome({ outcome: 'rejected' })).toBe('rejected')
  expect(await outcome({ rut: '11111111-1' })).toBe('rejected')
  expect(await outcome({ rut: '11111111-1', outcome: 'approved' })).toBe('approved')
})

test('a read returns the latest evaluation of a person', async () => {
  await using it = await estate()
  const ids: string[] = []
  for (let i = 0; i < 3; i++) {
    ids.push((await it.control('lead', { rut: RUT, now: true })).data.preApproveId)
  }
  expect((await it.read(`pre-approve/rut/${RUT}`)).data.idPreAprobacion).toBe(ids[2])
  expect((await it.read('leads')).data.map((row: any) => row.idPreAprobacion)).toEqual(ids.reverse())
})

test('the evaluation of a payment can be read with all 51 fields, and its e-mail and leadId are null', async () => {
  await using it = await estate()
  const { preApproveId } = (await it.evaluate('T1', { rut: RUT })).data
  const { data } = await it.send('GET', `/partner/pre-approve/rut/${RUT}`)
  expect(data).toMatchObject({ idPreAprobacion: preApproveId, rut: RUT, email: null, leadId: null })
  expect(Object.keys(data)).toHaveLength(51)
})

test('a partner reads only its own leads and evaluations', async () => {
  await using it = await estate()
  const { leadId } = (await it.control('lead', { rut: RUT, now: true })).data
  const key = it.withoutModule.apiKey
  expect((await it.send('GET', '/partner/leads', { key })).data).toEqual([])
  for (const path of [`leads/${leadId}`, `pre-approve/lead/${leadId}`, `pre-approve/rut/${RUT}`]) {
    expect(await it.send('GET', `/partner/${path}`, { key })).toMatchObject({ status: 404 })
  }
})

test('two processes that check at once finish each evaluation only once', async () => {
  await using it = await estate()
  await using other = await sandboxKit({ place: it.place })
  for (let i = 0; i < 5; i++) await it.control('lead', { evaluateInMs: 1_000 })
  it.clock.advance(1_000)
  other.clock.advance(1_000)
  const looks = [it, other, it, other].map(({ sandbox }) => sandbox.tick())
  await Promise.all(looks)
  expect((await it.events()).filter(({ type }) => type === 'pre_approve')).toHaveLength(5)
  expect(it.store.db.all<any>('select * from preApprovals')).toHaveLength(5)
})

test('a report link with another signature is answered 404', async () => {
  await using it = await estate()
  await it.control('lead', { rut: RUT, now: true })
  const { urlInforme } = (await it.read(`pre-approve/rut/${RUT}`)).data
  const tampered = [`${urlInforme}x`, urlInforme.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A'))]
  for (const url of [...tampered, `${BASE}/partner/informe/x`, `${BASE}/partner/informe/.x`]) {
    expect(await it.send('GET', new URL(url).pathname, { key: null })).toMatchObject({ status: 404 })
  }
})
