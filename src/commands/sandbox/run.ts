import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChildEnded } from '../../errors.ts'
import { type Define, examples } from '../command.ts'
import { refuseDryRun } from '../global-options.ts'
import { addServiceOptions, noteService, readServiceOption } from '../service-option.ts'
import { privateEnvironment, withoutAccount } from './environment.ts'
import { serveHere } from './serve-here.ts'

const PRIVATE = { dataFile: undefined, isPrivate: true, allowHttp: true } as const

export const define: Define = (command, act) => {
  addServiceOptions(
    command
      .argument('<command...>', 'the command and its arguments, after --')
      .option(
        '--customer',
        'let the payment page pay or reject by itself, depending on the test customer, so that a test needs no browser',
      ),
    'be this service',
  )
    .addOption(
      command
        .createOption('--allow-http', 'has no effect, because http destinations are always allowed here')
        .hideHelp(),
    )
    .action(
      act(async (context, { customer = false, ...named }, words) => {
        refuseDryRun(context)
        const { world } = context
        const description = await readServiceOption(context, named)
        const stateDir = await mkdtemp(join(tmpdir(), 'bnpl-sandbox-'))
        context.onClose(() => rm(stateDir, { recursive: true, force: true }))
        const where = { host: '127.0.0.1', port: 0, allowHosts: [] }
        const served = await serveHere(context, { ...where, stateDir, ...PRIVATE, customer, description })
        context.onClose(served.close)
        context.output.note(`A new sandbox answers at ${served.running.baseUrl}`)
        noteService(context.output, served.running.description)
        const env = {
          ...withoutAccount(world.env),
          ...(await privateEnvironment({ ...served.running, partners: served.partners })),
          // With this variable, `bnpl … -p sandbox` and `bnpl sandbox pay` inside the command use this sandbox.
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
    `\nThe command gets the address and the keys of the sandbox in BNPL_BASE_URL,\nBNPL_PAYMENT_URL, BNPL_API_KEY, BNPL_PUBLIC_KEY and BNPL_ENTITY_ID. The exit\ncode is that of the command (127: the command does not exist, 126: it cannot be\nrun). Webhook destinations can be on this machine, by http or https; deliveries\nare signed with BNPL_WEBHOOK_SECRET. The sandbox leaves no files behind. The\ncommand gets your environment without the variables of a real account.\nPGPASSWORD is also left out if it is the password of the database in\nBNPL_DATABASE.`,
  )
  examples(command, [
    ['your tests, against a fresh service', 'bnpl sandbox run -- npm test'],
    ['tests that open the payment page without a browser', 'bnpl sandbox run --customer -- npm test'],
    [
      'your tests, against a sandbox that follows the description of a service',
      'bnpl sandbox run --service service.json -- npm test',
    ],
    ['a shell for experiments', 'bnpl sandbox run -- bash'],
  ])
}
