import { call } from './call.ts'

export const listWebhooksCall = call({
  tag: 'webhooks',
  section: 'GET /partner/webhook : list destinations',
  summary: 'list webhook destinations',
  notShown: { status: 46, answer: 44, answerFields: { id: 44 } },
  method: 'GET',
  path: '/partner/webhook',
  success: { status: 200, meaning: 'the webhook destinations of the account' },
  repeat: 'safe',
  changes: false,
  dataShapeShown: false,
  schemas: ({ array, id, looseObject, optional, string }) => ({
    data: array(looseObject({ id, url: string(), verificationScheme: optional(string()) })),
  }),
})
