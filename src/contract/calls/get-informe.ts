import { guidance } from '../failures/advice.ts'
import { call } from './call.ts'

export const getInformeCall = call({
  tag: 'reports',
  section: 'GET /partner/pre-approve/{preApproveId}/informe : get the evaluation report link',
  summary: 'get a fresh link to an evaluation report',
  method: 'GET',
  path: '/partner/pre-approve/{preApproveId}/informe',
  params: [
    { name: 'preApproveId', meaning: 'The pre-approval id (idPreAprobacion). A preLoanRequestId does not work' },
  ],
  success: { status: 200, meaning: 'a pre-signed link to the PDF, valid for 1800 seconds' },
  statuses: {
    400: {
      outcome: 'auth',
      meaning: 'invalid or missing API key',
      ...guidance({ id: 'check-key' }),
    },
    401: {
      outcome: 'refused',
      meaning: 'the pre-approval belongs to another partner',
      ...guidance({ id: 'use-owner-account' }),
    },
    403: {
      outcome: 'refused',
      meaning: 'your account is inactive',
      hint: 'Ask the support of the service to activate your account.',
    },
    404: {
      outcome: 'not-found',
      meaning: 'no pre-approval with this id',
      hint: 'Use preApproveId (idPreAprobacion). A preLoanRequestId is a different id and does not work here.',
    },
    429: { outcome: 'rate-limited', meaning: 'rate limit exceeded' },
    503: {
      outcome: 'service',
      meaning: 'the report is not available for now',
      codes: {
        ERR_UNABLE_TO_RENDER_INFORME: 'the report could not be rendered',
        ERR_STORAGE_S3_PRESIGNED_GET: 'the download link could not be signed',
      },
      hint: 'Try again in a minute, because this failure usually disappears by itself.',
    },
  },
  allStatusesShown: true,
  formats: { answer: { url: 'link' } },
  repeat: 'safe',
  changes: false,
  schemas: ({ looseObject, string }) => ({ data: looseObject({ url: string() }) }),
})
