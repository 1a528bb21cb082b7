import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { Interrupted } from '../../src/errors.ts'
import { until } from '../receiver/listener.ts'
import { type CommandRow, everyCommand, FILES, type Made, SETUP } from './every-command.ts'
import { type Machine, machine, type Ran, type RunOptions } from './harness.ts'

export const env = { BNPL_WEBHOOK_SECRET: 'whsec-1234567890' }
const open = async () => true

/** A machine on which commands can be run one after the other, with a served sandbox and a receiver, both in this process. */
export interface Day {
  m: Machine
  lead: Made['lead']
  rows: CommandRow[]
  run(line: string, options?: RunOptions): Promise<Ran>
  /** Ends the servers. @returns the output and the exit code of each */
  end(): Promise<Record<string, Ran>>
}

/** Starts a day. @param form options for the servers' output; if left out, it is that for a terminal */
export async function beginDay(form = ''): Promise<Day> {
  const m = machine()
  const run: Day['run'] = (line, options) => m.run(line, { env, open, ...options })
  const stop = new AbortController()
  const started: [name: string, ran: Promise<Ran>][] = []
  const serve = async (name: string, options: string) => {
    const file = join(m.dir, `${name.replace(' ', '-')}.json`)
    const ran = run(`${name} --port 0 --ready-file ${file} ${options}`, {
      signal: stop.signal,
      stdoutIsTty: form === '',
      columns: name === 'webhooks listen' ? 40 : 80,
    })
    started.push([name, ran])
    const ended = ran.then(({ stderr }) => Promise.reject(new Error(`${name} ended: ${stderr}`)))
    await Promise.race([ended, until(() => existsSync(file))])
    return JSON.parse(readFileSync(file, 'utf8'))
  }
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(m.dir, name), content)
  await serve('sandbox start', `--allow-http ${form}`)
  const { url: receiver } = await serve('webhooks listen', '')
  for (const line of [...SETUP, `webhooks trigger loan_approved --to ${receiver} --event-id E1`]) {
    const { code, stderr } = await run(line)
    expect([line, code, stderr]).toEqual([line, 0, stderr])
  }
  const lead: Made['lead'] = (await run('sandbox lead --now --rut 11222333-9 --json')).json()
  const [entity] = (await run('entities list -p sandbox --json')).json()
  return {
    m,
    lead,
    run,
    rows: everyCommand({ lead, receiver, entity: entity.id }),
    async end() {
      stop.abort(new Interrupted())
      const ends = await Promise.all(started.map(async ([name, ran]) => [name, await ran] as const))
      m[Symbol.dispose]()
      return Object.fromEntries(ends)
    },
  }
}
