import type { Context } from '../../context.ts'
import type { VerificationScheme } from '../../contract/integrations.ts'
import type { DeliveryVector, deliveryVectors } from '../../receiver/conformance/vectors.ts'
import { casesOf, judge, showChecks } from '../../terminal/checks.ts'
import { startProgress } from '../../terminal/progress.ts'
import { type Column, renderTable, tableOn } from '../../terminal/table.ts'
import { type Command, type Define, examples, type OptionsOf, offer } from '../command.ts'
import { refuseDryRun } from '../global-options.ts'
import { reportPlace, writeJUnit } from '../report-file.ts'
import {
  addHmacOptions,
  addSignatureOptions,
  noteSandboxSecret,
  readReceiverUrl,
  readScheme,
  readSecrets,
  SCHEMES,
  secretsFor,
  signatureSettings,
  VERIFICATION_SCHEMES,
} from './signature-options.ts'

const addOptions = (command: Command) =>
  addSignatureOptions(
    command
      .argument('<url>', 'address of your receiver')
      .option('--scheme <scheme>', `how your receiver verifies deliveries: ${SCHEMES}`, 'hmac')
      .option('--junit <file>', 'also write the checks as a JUnit report'),
  )

type Options = OptionsOf<ReturnType<typeof addOptions>>

export const define: Define = (command, act) => {
  addOptions(command).action(
    act(async (context, options, text) => {
      refuseDryRun(context, '--dry-run prints one request, but this test would send many; nothing was sent')
      const url = readReceiverUrl('URL', text)
      const junit = await reportPlace(context.world.cwd, options.junit)
      const findings = await examine(context, url, readScheme(options.scheme), options)
      if (junit !== undefined) {
        const timestamp = new Date(context.clock.now()).toISOString()
        await writeJUnit(context.world, junit, 'bnpl webhooks test', casesOf(findings), timestamp)
      }
      await showChecks(context.output, findings, context.output.width)
      judge(findings)
    }),
  )
  offer(command, '--scheme', VERIFICATION_SCHEMES)
  examples(command, [
    [
      'a receiver on this machine, with the secret of the sandbox',
      'bnpl webhooks test http://127.0.0.1:3000/hook -p sandbox',
    ],
    ['a public receiver, before you register it', 'bnpl webhooks test https://shop.example/webhooks'],
    ['in CI', 'bnpl webhooks test http://127.0.0.1:3000/hook --secret-file secret.txt --junit receiver.xml'],
  ])
}

async function examine(context: Context, url: string, scheme: VerificationScheme, options: Options) {
  const secrets = await readSecrets(context, options, 'without a secret your receiver cannot verify the deliveries')
  noteSandboxSecret(context, secrets, scheme)
  const [secret = ''] = secretsFor(scheme, secrets.values)
  const signature = await signatureSettings(context, options)
  const { testReceiver } = await import('../../receiver/conformance/run.ts')
  const sample = await samples(context)
  const progress = await startProgress(context.io, context.options.quiet, 'testing')
  try {
    return await testReceiver({
      url,
      signer: { scheme, signature, secret },
      transport: await context.network(),
      clock: context.clock,
      timeoutMs: context.options.timeoutMs,
      signal: context.signal,
      sample,
      newEventId: () => `bnpl-test-${crypto.randomUUID()}`,
      onCheck: (name) => progress.update(name),
    })
  } finally {
    progress.stop()
  }
}

type Sample = Parameters<typeof deliveryVectors>[2]

/** Returns a function that makes the data of an event. */
async function samples({ clock, world }: Context): Promise<Sample> {
  const { sampleEvent } = await import('../../sandbox/records/records.ts')
  return (event) => sampleEvent(event, clock.now(), world.random)
}

export const defineVectors: Define = (command, act) => {
  addHmacOptions(
    command.option('--scheme <scheme>', `print only the deliveries of this scheme: ${SCHEMES} (default: both)`),
  ).action(
    act(async (context, options) => {
      const schemes = options.scheme === undefined ? (['hmac', 'token'] as const) : [readScheme(options.scheme)]
      const signature = await signatureSettings(context, options)
      const { deliveryVectors } = await import('../../receiver/conformance/vectors.ts')
      const sample = await samples(context)
      const vectors: DeliveryVector[] = []
      for (const scheme of schemes) vectors.push(...(await deliveryVectors(scheme, signature, sample)))
      if (context.output.forPeople) context.output.note('Use --json to get the headers, the bodies and the secret.')
      await context.output.result(vectors, () => renderTable(vectors, COLUMNS, tableOn(context.output)))
    }),
  )
  offer(command, '--scheme', VERIFICATION_SCHEMES)
  examples(command, [
    ['save the deliveries for the tests of your handler', 'bnpl webhooks vectors --json > webhook-vectors.json'],
    ['only the deliveries of a real-estate destination', 'bnpl webhooks vectors --scheme token --json'],
  ])
}

const COLUMNS: readonly Column<DeliveryVector>[] = [
  { title: 'Scheme', value: ({ scheme }) => scheme },
  { title: 'Delivery', isText: true, value: ({ name }) => name, shrinks: 'wraps' },
  { title: 'Must be', isText: true, value: ({ valid }) => (valid ? 'accepted' : 'refused') },
]
