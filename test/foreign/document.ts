import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { machine } from '../kit/harness.ts'

/**
 * Returns the contract as the command line prints it.
 * @param answers the answers of a service to questions of a description, such as which calls it has
 * @param service the named service that answers all other questions
 */
export async function document(answers: Readonly<Record<string, string>> = {}, service?: string): Promise<string> {
  using m = machine()
  const fields = Object.fromEntries(Object.entries(answers).map(([field, answer]) => [field, { answer }]))
  writeFileSync(
    join(m.dir, 'service.json'),
    JSON.stringify({ kind: 'bnpl service description', version: 1, ...(service && { service }), fields }),
  )
  const ran = await m.run('contract openapi', { env: { BNPL_SERVICE: 'service.json' } })
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  return ran.stdout
}
