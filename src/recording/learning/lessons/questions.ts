import type { GapNumber } from '../../../contract/gaps.ts'
import { DELIVERY_QUESTIONS } from './deliveries.ts'
import { DESTINATION_QUESTIONS } from './destinations.ts'
import { LOAN_QUESTIONS } from './loans.ts'
import { PAYMENT_QUESTIONS } from './payment.ts'
import type { GapQuestion } from './question.ts'
import { REPORT_QUESTIONS } from './reports.ts'
import { SERVICE_QUESTIONS } from './service.ts'

/** The question for each gap of the specification. If a gap has no question, this does not compile. */
export const QUESTIONS: Readonly<Record<GapNumber, GapQuestion>> = {
  ...PAYMENT_QUESTIONS,
  ...LOAN_QUESTIONS,
  ...DESTINATION_QUESTIONS,
  ...DELIVERY_QUESTIONS,
  ...REPORT_QUESTIONS,
  ...SERVICE_QUESTIONS,
  4: {
    question: 'Where does the public key come from?',
    why: 'no answer of the service contains the key; ask the support of the service for the key, and store it in the profile',
    command: 'bnpl profiles set publicKey KEY',
  },
  5: {
    question: 'How is the JavaScript widget installed, and which callbacks does it have?',
    why: 'the widget runs in the browser of a customer, and its calls are not recorded',
  },
  22: {
    question: 'How does errorReturnUrl show that preApproveId is undefined?',
    why: "the customer's browser opens this address at your shop, and the recording contains no visits of browsers; to see the address in your own browser, let a payment fail",
    command: 'bnpl walkthrough',
  },
  28: {
    question: 'Does 429 mean that the call had no effect?',
    why: 'a 429 does not show whether the call had an effect; ask the support of the service',
  },
}
