import type { Context } from '../../../context.ts'
import { SANDBOX } from '../../../domain/sandbox-accounts.ts'
import { type BnplError, config } from '../../../errors.ts'
import type { Inbox, LastListener } from '../../../receiver/inbox.ts'
import { countOf } from '../../../terminal/numbers.ts'
import { commandLine, optionWords, shellQuoted } from '../../../text/shell-word.ts'
import { LISTEN_PORT, type ListenPlan } from './plan.ts'
import { drawsTable } from './view.ts'

/** What an account is called in a sentence. */
const NAMES: Record<LastListener['kind'], string> = { sandbox: 'the sandbox', service: 'a real account' }

/**
 * Stores in the inbox for which account the listener receives. An event does not say where it comes from, so a handler of
 * a real account would get the invented events of the sandbox that still wait, or the sandbox's handler those of customers.
 * @throws `config` if events of the other kind of account still wait
 */
export async function continueInbox(context: Context, inbox: Inbox, plan: ListenPlan): Promise<void> {
  const before = await inbox.lastListener()
  const present = await accountOf(context, plan, before)
  if (before !== undefined && before.kind !== present.kind) {
    const waiting = await waitingEvents(context, inbox, plan)
    if (waiting !== undefined) throw refusal(context, { before, present, plan, waiting, shared: inbox.shared })
  }
  if (JSON.stringify(present) !== JSON.stringify(before)) await inbox.setLastListener(present)
}

async function accountOf(context: Context, plan: ListenPlan, before: LastListener | undefined): Promise<LastListener> {
  const { environment, profile } = await context.settings()
  const kind = environment.value === SANDBOX ? 'sandbox' : 'service'
  const forwardTo =
    handlerOf(plan) ?? (plan.forwardTo === undefined && before?.kind === kind ? before.forwardTo : undefined)
  return { kind, ...(profile && { profile: profile.value }), ...(forwardTo !== undefined && { forwardTo }) }
}

/** Returns the handler's address to remember; undefined if it has a query, which may contain a secret. */
const handlerOf = ({ forwardTo }: ListenPlan): string | undefined =>
  forwardTo !== undefined && new URL(forwardTo).search === '' ? forwardTo : undefined

interface Waiting {
  /** Such as `1 event`. */
  count: string
  verb: 'waits' | 'wait'
  work: 'forwarded' | 'printed'
}

/**
 * Returns the events of an earlier listener that still wait; undefined if none waits. Events that wait to be forwarded count
 * even without `--forward-to`. Otherwise events of both accounts could wait, and no later listener could tell them apart.
 */
async function waitingEvents(context: Context, inbox: Inbox, { print }: ListenPlan): Promise<Waiting | undefined> {
  const waiting = (count: number, work: Waiting['work'], more = ''): Waiting => ({
    count: `${countOf(count, 'event')}${more}`,
    verb: count === 1 ? 'waits' : 'wait',
    work,
  })
  const backlog = await inbox.backlog()
  if (backlog.waiting > 0) return waiting(backlog.waiting, 'forwarded')
  if (!print || drawsTable(context)) return undefined
  const unprinted = (await inbox.emittable(await inbox.emittedUpTo(), MOST_COUNTED)).length
  if (unprinted === 0) return undefined
  return waiting(unprinted, 'printed', unprinted === MOST_COUNTED ? ' or more' : '')
}

/** Events are read with their bodies, so not more of them are counted. */
const MOST_COUNTED = 50

interface Refused {
  before: LastListener
  present: LastListener
  plan: ListenPlan
  waiting: Waiting
  shared: boolean
}

function refusal({ world }: Context, { before, present, plan, waiting, shared }: Refused): BnplError {
  const { count, verb, work } = waiting
  const finish = listenCommand(before, plan, work === 'forwarded' ? (before.forwardTo ?? 'URL') : undefined)
  const elsewhere = shared
    ? 'Or use another database for this listener.'
    : `Or use another folder for this listener, and start it again: export BNPL_STATE_DIR=${shellQuoted(`${world.stateDir}-${present.kind}`)}`
  return config(
    `this inbox still has ${count} of ${NAMES[before.kind]} that ${verb} to be ${work}, and this listener is for ${NAMES[present.kind]}`,
    `Finish these events with a listener for ${NAMES[before.kind]}, and stop it afterwards: ${finish}\n${elsewhere}`,
    before.kind === 'sandbox' ? 'EVENTS_OF_THE_SANDBOX' : 'EVENTS_OF_A_SERVICE',
  )
}

/** Returns the command of a listener for an account, on the port and the database of the present listener. */
function listenCommand({ profile }: LastListener, plan: ListenPlan, forwardTo: string | undefined): string {
  const { database, databasePasswordFile } = plan.database
  const options = {
    '-p': profile,
    '--forward-to': forwardTo,
    '--port': plan.port === LISTEN_PORT ? undefined : String(plan.port),
    '--database': database,
    '--database-password-file': databasePasswordFile,
  }
  const words = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : optionWords(name, value),
  )
  return commandLine('bnpl webhooks listen', [], words.join(' '))
}
