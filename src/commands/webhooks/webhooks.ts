import { eventsInWords } from '../../contract/integrations.ts'
import { type Define, examples } from '../command.ts'
import { showAnswer } from '../record-table.ts'
import { define as add, defineSubscribe as subscribe } from './add.ts'
import { renderDestinations } from './destinations.ts'
import { define as events } from './events.ts'
import { define as listen } from './listen/listen.ts'
import { define as rm } from './rm.ts'
import { define as test, defineVectors as vectors } from './test.ts'
import { define as trigger } from './trigger.ts'
import { define as verifySignature } from './verify-signature.ts'

const list: Define = (command, act) => {
  command.action(
    act(async (context) => {
      const answer = await (await context.api()).probe('listWebhooks', { params: {}, body: {} })
      await showAnswer(context, answer, (destinations) => renderDestinations(context, destinations))
    }),
  )
  examples(command, [
    ['list the destinations and the events that each of them receives', 'bnpl webhooks list -p sandbox'],
  ])
}

const SUBCOMMANDS: readonly (readonly [name: string, summary: string, define: Define])[] = [
  ['list', 'list destinations, and how many of the ten slots are used', list],
  ['add', `register a BNPL destination for ${eventsInWords('bnpl')}`, add],
  ['subscribe', `register a real-estate destination for ${eventsInWords('real-estate')}`, subscribe],
  ['rm', 'delete destinations', rm],
  ['listen', 'receive events: verify, store, acknowledge, then forward', listen],
  ['events', 'received events: list, show, confirm, replay, prune', events],
  ['trigger', 'send one well-formed, signed event to a receiver', trigger],
  ['test', 'test your receiver against the specification', test],
  ['vectors', 'print signed and forged deliveries, for the tests of your handler', vectors],
  ['verify-signature', 'check one signature, and say why it does not match', verifySignature],
]

export const define: Define = (command, act) => {
  for (const [name, summary, defineOne] of SUBCOMMANDS) defineOne(command.command(name).description(summary), act)
  examples(command, [
    [
      'receive, store, and forward to a handler on this machine',
      'bnpl webhooks listen --forward-to http://127.0.0.1:3000/hook',
    ],
    [
      'try a handler without waiting for a customer',
      'bnpl webhooks trigger loan_approved --to http://127.0.0.1:4556/webhooks',
    ],
    ['events received in the last 24 hours', 'bnpl webhooks events --since 1d'],
    [
      'register the address to which the service delivers',
      'bnpl webhooks add https://shop.example/webhooks --if-missing',
    ],
  ])
}
