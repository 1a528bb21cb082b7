import { afterEach, expect, test } from 'vitest'
import { machine } from '../kit/harness.ts'
import { patient } from '../kit/patient.ts'
import { cleanUp, SECRET, startListener } from './listener.ts'

afterEach(cleanUp)

test('webhooks listen passes webhooks test', async () => {
  using m = machine()
  const listener = await startListener()
  const ran = await m.run(`webhooks test ${listener.url} --json`, {
    env: { BNPL_WEBHOOK_SECRET: SECRET },
    transport: patient,
  })
  const failed = (ran.json() as { name: string; status: string }[]).filter(({ status }) => status === 'fail')
  expect({ code: ran.code, failed }).toEqual({ code: 0, failed: [] })
})
