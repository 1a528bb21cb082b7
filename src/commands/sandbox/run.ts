import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChildEnded } from '../../errors.ts'
import { type Define, examples } from '../command.ts'
import { refuseDryRun } from '../global-options.ts'
import { privateEnvironment, withoutAccount } from './environment.ts'
import { LIKE_HELP, learnLikeness, likenessInWords } from './like.ts'
import { serveHere } from './serve-here.ts'

/** For one command: in memory, and reachable by nobody else. */
const PRIVATE = { dataFile: undefined, isPrivate: true, allowHttp: true } as const

export const define: Define = (command, act) => {
  command
    .argument('<command...>', 'the command and its arguments, after --')
    .option('--customer', 'the payment page decides by itself and leads back at once, so that a test needs no browser')
    .option('--like <file...>', LIKE_HELP)
    // Older command lines have it.
    .addOption(
      command.createOption('--allow-http', 'has no effect: such destinations are always allowed here').hideHelp(),
    )
    .action(
      act(async (context, { customer = false, like: files }, words) => {
        refuseDryRun(context)
        const { world } = context
        const like = files && (await learnLikeness(context, files))
        const stateDir = await mkdtemp(join(tmpdir(), 'bnpl-sandbox-'))
        context.onClose(() => rm(stateDir, { recursive: true, force: true }))
        const where = { host: '127.0.0.1', port: 0, allowHosts: [] }
        const served = await serveHere(context, { ...where, stateDir, ...PRIVATE, customer, like })
        context.onClose(served.close)
        context.output.note(`A new sandbox answers at ${served.running.baseUrl}`)
        if (served.like) context.output.note(`It answers as a recorded service did: ${likenessInWords(served.like)}`)
        const env = {
          ...withoutAccount(world.env),
          ...(await privateEnvironment({ ...served.running, partners: served.partners })),
          // With this, `bnpl … -p sandbox` and `bnpl sandbox pay` inside the command use this sandbox.
          BNPL_STATE_DIR: stateDir,
        }
        const { runInFront } = await import('./child.ts')
        context.signal.throwIfAborted()
        const code = await runInFront(world, words, env)
        if (code !== 0) throw new ChildEnded(code)
      }),
    )
  command.addHelpText(
    'after',
    `
The command finds the sandbox in BNPL_BASE_URL, BNPL_PAYMENT_URL, BNPL_API_KEY,
BNPL_PUBLIC_KEY and BNPL_ENTITY_ID; its exit code is passed on (127: there is no
such command, 126: it cannot be run). Webhook destinations may be on this
machine, by http or https; deliveries are signed with BNPL_WEBHOOK_SECRET. The
sandbox leaves no files behind. The command gets your environment without the
variables of a real account. That includes PGPASSWORD if it opens the database
that BNPL_DATABASE names.`,
  )
  examples(command, [
    ['your tests, against a fresh service', 'bnpl sandbox run -- npm test'],
    ['the same, where the tests open the payment page without a browser', 'bnpl sandbox run --customer -- npm test'],
    ['the same against a service like the recorded one', 'bnpl sandbox run --like day.ndjson -- npm test'],
    ['a shell for experiments', 'bnpl sandbox run -- bash'],
  ])
}
