import type { Define } from '../command.ts'
import { define as clock } from './clock.ts'
import { define as customers } from './customers.ts'
import { define as deliver } from './deliver.ts'
import { define as deliveries } from './deliveries.ts'
import { define as fault } from './fault/fault.ts'
import { define as lead } from './lead.ts'
import { define as open } from './open.ts'
import { define as pay } from './pay.ts'
import { define as requests } from './requests.ts'
import { define as reset } from './reset.ts'
import { define as revise } from './revise.ts'
import { define as run } from './run.ts'
import { define as snapshot } from './snapshot/snapshot.ts'
import { define as start } from './start.ts'
import { define as status } from './status.ts'

const SUBCOMMANDS: readonly (readonly [name: string, summary: string, define: Define])[] = [
  ['start', 'serve the whole service on this machine', start],
  ['open', 'open its window in the browser: payments, requests, webhooks, controls', open],
  ['run', 'run a command against a sandbox of its own', run],
  ['status', 'where it is, and how much is in it', status],
  ['pay', 'pay a transaction, as its customer would on the page', pay],
  ['lead', 'let a lead enter the funnel of a real-estate partner', lead],
  ['revise', 'change risk parameters of an evaluation, so that its report changes', revise],
  ['customers', 'the test customers: what happens to each is in the national id', customers],
  ['clock', "show the sandbox's time, or move it ahead", clock],
  ['fault', 'let calls go wrong: statuses, delays, lost and broken answers', fault],
  ['requests', 'the latest calls, newest first', requests],
  ['deliveries', 'what was delivered to webhook destinations, with every attempt', deliveries],
  ['deliver', 'deliver again: twice, late, out of order, or with a wrong signature', deliver],
  ['snapshot', 'keep states of the sandbox, and go back to them', snapshot],
  ['reset', 'forget everything but the accounts and their keys', reset],
]

export const define: Define = (command, act) => {
  for (const [name, summary, defineOne] of SUBCOMMANDS) defineOne(command.command(name).description(summary), act)
  command.addHelpText(
    'after',
    `
Which one is meant, by -p sandbox too: the one that runs on this state folder;
else the one whose state is in the PostgreSQL of BNPL_DATABASE; else the one in
the file of the state folder. A profile's database is none of the sandbox's.`,
  )
}
