import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { Interrupted } from '../../src/errors.ts'
import type { Machine } from './harness.ts'
import { until } from './program.ts'

/** Serves the machine's sandbox in this process while `work` runs. @param options more arguments of `sandbox start` */
export async function whileServed<T>(
  m: Machine,
  work: (served: { port: number; apiKey: string }) => Promise<T>,
  options = '',
): Promise<T> {
  const stop = new AbortController()
  const ran = m.run(`sandbox start --port 0 --json --ready-file ready ${options}`, { signal: stop.signal })
  await until(() => existsSync(join(m.dir, 'ready')), { ended: new Promise(() => {}) })
  const { baseUrl, partners } = JSON.parse(readFileSync(join(m.dir, 'ready'), 'utf8'))
  try {
    return await work({ port: Number(new URL(baseUrl).port), apiKey: partners[0].apiKey })
  } finally {
    stop.abort(new Interrupted(143))
    expect(await ran).toMatchObject({ code: 143 })
  }
}
