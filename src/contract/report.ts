import type { StatusMeaning } from './calls/call.ts'

/** The specification's facts about reports that belong to no endpoint's schema. This file loads no schema library. */

/** The file name that the download link forces (specification: "Lead, evaluation and evaluation report"). */
export function informeFileName(preApproveId: string): string {
  return `PreAprobacion_${preApproveId}.pdf`
}

/** The purpose of opening a `urlInforme`, and its only right answer (specification: "Open the report from its link"). */
export const OPEN_SUMMARY = 'open a report from its urlInforme, without a key'
export const OPEN_STATUS = 302

/** The plain GETs around a report, which are not calls of the service's interface: their purpose, and the meaning of their refusals. */
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

/** The first request of a `urlInforme`. The address contains its own signature; it takes no key and is answered with one redirect. */
export const reportLinkStep: BareStep = { summary: OPEN_SUMMARY, repeat: 'safe', statuses: LINK_STATUSES }

/** The pre-signed GET of the PDF; the storage refuses any Authorization header and every expired link. */
export const reportFileStep: BareStep = {
  summary: 'download the report',
  repeat: 'safe',
  statuses: {
    ...LINK_STATUSES,
    206: { outcome: 'service', meaning: 'only a part of the report was sent' },
  },
}
