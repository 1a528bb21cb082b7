import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { World } from '../../context.ts'
import { ChildEnded, codeOf } from '../../errors.ts'
import { type Define, examples } from '../command.ts'
import { refuseDryRun } from '../global-options.ts'
import { addServiceOptions, noteService, readServiceOption } from '../service-option.ts'
import { privateEnvironment, serveHere, withoutAccount } from './serve-here.ts'

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
        context.onClose(() => rm(stateDir, { recursive: true, force: true, maxRetries: 5 }))
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

/**
 * Runs a program of the user in the foreground, and waits for its end. Returns its exit code, or 128 + n if signal
 * number n ended it. Throws `ChildEnded` 127 when the program does not exist, 126 when it cannot be run.
 */
async function runInFront(
  world: Pick<World, 'takeSignals' | 'signal' | 'cwd' | 'io'>,
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const { startProgram } = await import('../../program.ts')
  world.signal.throwIfAborted()
  const ended = Promise.withResolvers<number>()
  let child: ChildProcess
  try {
    child = startProgram(command, args, { stdio: 'inherit', env: { ...env }, cwd: world.cwd })
  } catch (error) {
    throw notRun(command, codeOf(error))
  }
  child.on('error', ({ code, syscall = '' }: NodeJS.ErrnoException) => {
    if (syscall.startsWith('spawn')) ended.reject(notRun(command, code))
  })
  child.on('exit', (code, signal) => ended.resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  const giveBack = world.takeSignals((name) => {
    // Do not pass on Ctrl-C. The terminal already sends it to every program in the foreground, and many programs stop immediately when they
    // receive it twice.
    if (name !== 'SIGINT' || !world.io.stdinIsTty) child.kill(name)
  })
  try {
    return await ended.promise
  } finally {
    giveBack()
  }
}

function notRun(command: string, code = 'unknown cause'): ChildEnded {
  return code === 'ENOENT'
    ? new ChildEnded(127, `the program “${command}” was not found`)
    : new ChildEnded(126, `“${command}” cannot be run (${code})`)
}
