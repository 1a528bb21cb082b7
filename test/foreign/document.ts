import { writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import { machine } from '../harness.ts'

/** The contract as the command line writes it. */
export async function document(): Promise<string> {
  using m = machine()
  const ran = await m.run('contract openapi')
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  return ran.stdout
}

/** Writes it to a file. @returns it, parsed */
export async function writeDocument(path: string): Promise<any> {
  const text = await document()
  writeFileSync(path, text)
  return JSON.parse(text)
}
