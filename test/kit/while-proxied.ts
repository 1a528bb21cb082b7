import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { Interrupted } from '../../src/errors.ts'
import type { Machine, Ran, RunOptions } from './harness.ts'
import { until } from './program.ts'

/** Runs `bnpl proxy` in this process, calls `work`, and then stops the proxy as Ctrl-C does. */
export async function whileProxied(
  m: Machine,
  line: string,
  options: RunOptions,
  work: (url: string) => Promise<unknown>,
): Promise<Ran> {
  const stop = new AbortController()
  const ran = m.run(`proxy --port 0 --ready-file proxy-ready ${line}`, { ...options, signal: stop.signal })
  const file = join(m.dir, 'proxy-ready')
  await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'), {
    ended: ran.then(({ code, stdout, stderr }) => ({ code, signal: null, stdout, stderr })),
  })
  try {
    await work(JSON.parse(readFileSync(file, 'utf8')).url)
  } finally {
    stop.abort(new Interrupted(130))
  }
  const ended = await ran
  expect([ended.code, existsSync(file)]).toEqual([130, false])
  return ended
}
