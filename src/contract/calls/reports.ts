import { guidance } from '../failures/advice.ts'
import { call, type StatusMeaning } from './call.ts'

/** Returns the file name that the download link gives to the file (specification: "Lead, evaluation and evaluation report"). */
export function informeFileName(preApproveId: string): string {
  return `PreAprobacion_${preApproveId}.pdf`
}

const OPEN_SUMMARY = 'open a report by its link (urlInforme)'
/** The only correct status of the answer to a `urlInforme` (specification: "Open the report from its link"). */
export const OPEN_STATUS = 302

/** One of the two GETs of a report download. Unlike a call of the contract, it has no path, because the service sends the whole address. */
export interface BareStep {
  summary: string
  repeat: 'safe'
  statuses: Readonly<Record<number, StatusMeaning>>
}

const LINK_STATUSES: BareStep['statuses'] = {
  400: { outcome: 'refused', meaning: 'the link is not accepted' },
  401: { outcome: 'refused', meaning: 'the link is not accepted' },
  403: { outcome: 'refused', meaning: 'the link has expired or is incomplete' },
  404: { outcome: 'not-found', meaning: 'the link is for a report that does not exist' },
  410: { outcome: 'refused', meaning: 'the link has expired' },
}

/** The first request of a download, to a `urlInforme`. The address contains its own signature, so no key is sent. */
export const reportLinkStep: BareStep = { summary: OPEN_SUMMARY, repeat: 'safe', statuses: LINK_STATUSES }

/** The second request of a download, to the signed address of the PDF. The storage refuses any Authorization header, so no key is sent. */
export const reportFileStep: BareStep = {
  summary: 'download the report',
  repeat: 'safe',
  statuses: {
    ...LINK_STATUSES,
    206: { outcome: 'service', meaning: 'only part of the report was sent' },
  },
}

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
