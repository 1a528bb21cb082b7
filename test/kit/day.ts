import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type CommandRow, everyCommand, FILES, type Made, SETUP } from './every-command.ts'
import { type Machine, machine, type Ran, type RunOptions } from './harness.ts'
import { serve } from './served.ts'
import type { ShellEnd } from './shell.ts'

export const env = { BNPL_WEBHOOK_SECRET: 'whsec-1234567890' }
const open = async () => true

/** A machine on which commands can be run one after the other, with a served sandbox and a receiver, both in this process. */
export interface Day {
  m: Machine
  lead: Made['lead']
  /** The content of the ready file of the sandbox. */
  sandbox: any
  /** The address of the receiver. */
  receiver: string
  rows: CommandRow[]
  run(line: string, options?: RunOptions): Promise<Ran>
  /** Ends the servers. @returns the output and the exit code of each */
  end(): Promise<Record<string, ShellEnd>>
}

/** Starts a day. @param form options for the servers' output; if left out, it is that for a terminal */
export async function beginDay(form = ''): Promise<Day> {
  const m = machine()
  const run: Day['run'] = (line, options) => m.run(line, { env, open, ...options })
  const started: [name: string, end: () => Promise<ShellEnd>][] = []
  const begin = async (name: string, options: string, columns: number) => {
    const words = `${name} ${options}`.split(' ').filter(Boolean)
    const { ready, end } = await serve(m, words, { env, open, stdoutIsTty: form === '', columns })
    started.push([name, end])
    return ready
  }
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(m.dir, name), content)
  const sandbox = await begin('sandbox start', `--allow-http ${form}`, 80)
  const { url: receiver } = await begin('webhooks listen', '', 40)
  for (const line of [...SETUP, `webhooks trigger loan_approved --to ${receiver} --event-id E1`]) {
    const { code, stderr } = await run(line)
    expect([line, code, stderr]).toEqual([line, 0, stderr])
  }
  const lead: Made['lead'] = (await run('sandbox lead --now --rut 11222333-9 --json')).json()
  const [, entity] = (await run('entities list -p sandbox --json')).json()
  return {
    m,
    lead,
    sandbox,
    receiver,
    run,
    rows: everyCommand({ lead, receiver, entity: entity.id }),
    async end() {
      const ends = await Promise.all(started.map(async ([name, end]) => [name, await end()] as const))
      m[Symbol.dispose]()
      return Object.fromEntries(ends)
    },
  }
}
