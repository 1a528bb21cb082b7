import { expect } from 'vitest'
import { machine } from '../kit/harness.ts'

/** Returns the contract as the command line prints it. */
export async function document(): Promise<string> {
  using m = machine()
  const ran = await m.run('contract openapi')
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  return ran.stdout
}
