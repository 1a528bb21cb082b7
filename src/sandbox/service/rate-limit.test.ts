import { expect, test } from 'vitest'
import { sandboxKit } from '../../../test/sandbox-kit.ts'

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

test('after the clock was set back nobody waits for the earlier time', async () => {
  await using kit = await sandboxKit({ rateLimit: { burst: 1, perSecond: 1 } })
  await kit.control('clock', { advanceMs: 86_400_000 })
  expect((await kit.verify('T1')).status).toBe(404)
  expect((await kit.verify('T1')).status).toBe(429)
  kit.clock.advance(-3_600_000)
  expect((await kit.verify('T1')).status).toBe(404)
  expect((await kit.verify('T1')).status).toBe(429)
})
