import { OPEN_STATUS, OPEN_SUMMARY } from '../report.ts'
import { call } from './call.ts'

export const openInformeCall = call({
  tag: 'reports',
  section: 'Open the report from its link',
  summary: OPEN_SUMMARY,
  notShown: { path: 13 },
  method: 'GET',
  path: '/partner/informe/{signature}',
  params: [{ name: 'signature', meaning: 'The signature inside a urlInforme' }],
  auth: 'none',
  accept: '*/*',
  success: { status: OPEN_STATUS, meaning: 'a redirect to the signed download link' },
  bodyShown: false,
  repeat: 'safe',
  changes: false,
  schemas: ({ anything }) => ({ data: anything }),
})
