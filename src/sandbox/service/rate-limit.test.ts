import { expect, test } from 'vitest'
import { sandboxKit } from '../../../test/kit/sandbox-kit.ts'
import { answerOf, SPECIFICATION } from '../../contract/description.ts'
import { GAPS } from '../../contract/gaps.ts'
import { groupDigits } from '../../domain/amount.ts'

test('all sandboxes on one state count a partner’s calls together, and accept them again after a while', async () => {
  const rateLimit = { burst: 4, perSecond: 3 }
  await using one = await sandboxKit({ rateLimit })
  await using other = await sandboxKit({ rateLimit, place: one.place })
  const call = (kit: typeof one, key = one.bnpl.apiKey) => kit.send('POST', '/partner/pre-approve/T1/loan', { key })
  const statuses = []
  for (const kit of [one, other, one, other]) statuses.push((await call(kit)).status)
  expect(statuses).toEqual([404, 404, 404, 404])
  expect(await call(one)).toMatchObject({
    status: 429,
    code: 'ERR_RATE_LIMIT_EXCEEDED',
    headers: { 'retry-after': '1' },
  })
  expect(await call(other)).toMatchObject({ status: 429 })
  expect((await one.send('GET', '/partner/leads', { key: one.estate.apiKey })).status).toBe(200)

  for (const kit of [one, other]) kit.clock.advance(334)
  expect((await call(one)).status).toBe(404)
  expect((await call(other)).status).toBe(429)
})

test('when the clock is set back, the rate limit does not make a call wait until the previous time', async () => {
  await using kit = await sandboxKit({ rateLimit: { burst: 1, perSecond: 1 } })
  await kit.control('clock', { advanceMs: 86_400_000 })
  expect((await kit.verify('T1')).status).toBe(404)
  expect((await kit.verify('T1')).status).toBe(429)
  kit.clock.advance(-3_600_000)
  expect((await kit.verify('T1')).status).toBe(404)
  expect((await kit.verify('T1')).status).toBe(429)
})

test('the rate limit of gap 17 has its documented size, and counts each account and each call separately [specification F18]', async () => {
  await using kit = await sandboxKit()
  const key = kit.estate.apiKey
  const ask = () => kit.send('GET', '/partner/pre-approve/P1/informe', { key })
  const used = async () => (await kit.control('status')).data.rateLimit
  expect((await ask()).status).toBe(404)
  const account = 'Inmobiliaria Demo'
  const { burst, perSecond } = answerOf(SPECIFICATION, 'rateLimit')
  expect(await used()).toEqual({
    burst,
    perSecond,
    per: 'call',
    used: [{ account, call: 'getInforme', left: burst - 1 }],
  })
  // The bucket is now as if all calls except two had been made at this moment.
  const fullAt = (kit.clock.now() + ((burst - 2) * 1_000) / perSecond) * 1_000
  kit.store.db.run('update rateLimits set fullAt = ?', fullAt)
  expect([(await ask()).status, (await ask()).status]).toEqual([404, 404])
  expect(await ask()).toMatchObject({
    status: 429,
    code: 'ERR_RATE_LIMIT_EXCEEDED',
    headers: { 'retry-after': '1' },
  })
  expect((await used()).used).toEqual([{ account, call: 'getInforme', left: 0 }])
  expect((await kit.send('GET', '/partner/leads', { key })).status).toBe(200)
  expect((await kit.send('GET', '/partner/pre-approve/P1/informe')).status).toBe(404)
  kit.clock.advance(1_000)
  expect((await used()).used).toEqual([{ account, call: 'getInforme', left: perSecond }])
  expect((await ask()).status).toBe(404)
  const documented = `${groupDigits(burst, ',')} calls at once, then ${perSecond} a second`
  expect(GAPS.find(({ number }) => number === 17)?.sandbox).toContain(documented)
})

test('a fault with status 429 is answered with the same code and Retry-After as the rate limit [specification F18]', async () => {
  await using kit = await sandboxKit()
  const key = kit.estate.apiKey
  const ask = () => kit.send('GET', '/partner/pre-approve/P1/informe', { key })
  const arm = (more: object) => kit.control('faultAdd', { endpoint: 'getInforme', status: 429, ...more })
  const limited = { status: 429, code: 'ERR_RATE_LIMIT_EXCEEDED' }
  expect((await arm({})).data).toMatchObject({ retryAfter: 1 })
  expect(await ask()).toMatchObject({ ...limited, headers: { 'retry-after': '1' } })
  await arm({ retryAfter: 7 })
  expect(await ask()).toMatchObject({ ...limited, headers: { 'retry-after': '7' } })
  await arm({ retryAfter: null })
  expect((await ask()).headers).not.toHaveProperty('retry-after')
  await kit.control('faultAdd', { endpoint: 'listLeads', status: 503 })
  expect(await kit.send('GET', '/partner/leads', { key })).toMatchObject({ code: 'ERR_SERVICE_UNAVAILABLE' })
  await kit.control('faultAdd', { endpoint: 'getInforme', status: 401 })
  expect(await ask()).toMatchObject({ code: 'ERR_PRE_APPROVAL_OF_ANOTHER_PARTNER' })
})
