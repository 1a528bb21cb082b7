import type { StatusMeaning } from './call.ts'
import { OPEN_SUMMARY } from './calls.ts'

/** Returns the file name that the download link gives to the file (specification: "Lead, evaluation and evaluation report"). */
export function informeFileName(preApproveId: string): string {
  return `PreAprobacion_${preApproveId}.pdf`
}

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
