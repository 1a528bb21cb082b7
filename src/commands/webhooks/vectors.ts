import type { DeliveryVector } from '../../receiver/conformance/vectors.ts'
import { type Column, renderTable, tableOn } from '../../terminal/table.ts'
import { type Define, examples, offer } from '../command.ts'
import { readScheme, SCHEMES, VERIFICATION_SCHEMES } from './receiver-options.ts'
import { addHmacOptions, signatureSettings } from './signature-options.ts'

export const define: Define = (command, act) => {
  addHmacOptions(
    command.option('--scheme <scheme>', `print only the deliveries of this scheme: ${SCHEMES} (default: both)`),
  ).action(
    act(async (context, options) => {
      const schemes = options.scheme === undefined ? (['hmac', 'token'] as const) : [readScheme(options.scheme)]
      const signature = await signatureSettings(context, options)
      const { deliveryVectors } = await import('../../receiver/conformance/vectors.ts')
      const { sampleEvent } = await import('../../sandbox/records/records.ts')
      const sample = (event: Parameters<typeof sampleEvent>[0]) =>
        sampleEvent(event, context.clock.now(), context.world.random)
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
  { title: 'Delivery', value: ({ name }) => name, shrinks: 'wraps' },
  { title: 'Must be', value: ({ valid }) => (valid ? 'accepted' : 'refused') },
]
