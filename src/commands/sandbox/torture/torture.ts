import type { Context } from '../../../context.ts'
import { usage } from '../../../errors.ts'
import { type Define, examples, offer } from '../../command.ts'
import { refuseDryRun } from '../../global-options.ts'
import { readCount, readDuration } from '../../option-values.ts'
import { reportPlace } from '../../report-file.ts'
import { INVARIANT_HELP } from './invariant-help.ts'
import { addTortureOptions, PART_WORDS, type TortureOptions } from './options.ts'

export const define: Define = (command, act) => {
  addTortureOptions(command).action(act(run))
  command.addHelpText('after', `\n${INVARIANT_HELP}`)
  offer(command, '--only', PART_WORDS)
  examples(command, [
    [
      'try every fault; the shop reads the path of its database from SHOP_DATA',
      `bnpl sandbox torture --customer --orders "SHOP_DATA=\\$BNPL_RUN_DIR/shop.db node orders.js" -- sh -c "SHOP_DATA=\\$BNPL_RUN_DIR/shop.db npm test"`,
    ],
    [
      'in CI: try only 50 of the faults, and run the shop’s reconciliation',
      'bnpl sandbox torture --customer --orders "node orders.js" --settle "node settle.js" --limit 50 --junit torture.xml -- npm test',
    ],
    [
      'also kill the server of the shop, and start it again',
      `bnpl sandbox torture --orders "node orders.js" --restart "PORT=\\$BNPL_RUN_PORT npm start" -- npm test`,
    ],
    ['repeat the run of one finding', 'bnpl sandbox torture --run cut-after@evaluate.1 -- npm test'],
  ])
}

async function run(context: Context, options: TortureOptions, words: string[]): Promise<void> {
  refuseDryRun(context)
  const seed = readSeed(options.seed)
  const limit = options.limit === undefined ? undefined : readCount('--limit', options.limit)
  const jobs = options.jobs === undefined ? undefined : readCount('--jobs', options.jobs)
  const limitMs = options.timeLimit === undefined ? undefined : readDuration('--time-limit', options.timeLimit)
  if (options.run !== undefined && limit !== undefined)
    throw usage(
      '--run and --limit cannot be used together, because --run makes only one run',
      'Remove --run or --limit.',
    )
  const only = await readParts(options.only)
  const junit = await reportPlace(context.world.cwd, options.junit)
  const { runTorture } = await import('./run-torture.ts')
  await runTorture(context, { words, options, seed, limit, jobs, limitMs, only, junit })
}

function readSeed(text: string): number {
  const seed = Number(text)
  if (/^\d{1,10}$/.test(text) && seed < 2 ** 32) return seed
  throw usage(`--seed “${text}” is not a seed`, 'Use a whole number from 0 to 4294967295.', 'INVALID_SEED')
}

async function readParts(text: string | undefined) {
  const { PARTS } = await import('../../../torture/fault-table.ts')
  if (text === undefined) return PARTS
  const given = text.split(',').map((word) => word.trim())
  const unknown = given.find((word) => !PARTS.some((part) => part === word))
  if (unknown === undefined) return PARTS.filter((part) => given.includes(part))
  throw usage(
    `--only “${unknown}” is not a part that can have faults`,
    `Use some of: ${PARTS.join(',')}`,
    'INVALID_PART',
  )
}
