import { guidance } from '../failures/advice.ts'
import { call } from './call.ts'

export const deleteWebhookCall = call({
  tag: 'webhooks',
  section: 'DELETE /partner/webhook/{id} : delete a destination',
  summary: 'delete a webhook destination',
  notShown: { status: 46, answer: 20, statuses: { 404: 46 } },
  method: 'DELETE',
  path: '/partner/webhook/{id}',
  params: [{ name: 'id', meaning: 'The id of the destination' }],
  success: { status: 200, meaning: 'the destination is deleted' },
  bodyShown: false,
  statuses: {
    404: {
      outcome: 'not-found',
      meaning: 'no destination with this id',
      ...guidance({ id: 'see-destinations' }),
    },
  },
  repeat: 'safe',
  changes: true,
  schemas: ({ anything }) => ({ data: anything }),
})
