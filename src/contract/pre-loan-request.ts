import * as z from 'zod/mini'
import * as calls from './calls/pre-loan-request.ts'
import { endpoint } from './endpoint.ts'
import { integerText, text, unicode } from './fields.ts'

/** Element of `data.installmentOptions` (specification: "Installment option"). Amounts are integers in currency units. */
export const installmentOption = z.looseObject({ installments: z.int(), amount: z.int(), total: z.int() })

export const evaluate = endpoint(calls.evaluate, {
  request: z.strictObject({ idNumber: text, amount: integerText, entityId: text, externalTrxId: text }),
  data: z.looseObject({ installmentOptions: z.array(installmentOption) }),
})

export const select = endpoint(calls.select, {
  request: z.strictObject({
    preApproveId: text,
    installmentOption: integerText,
    externalTrxId: text,
    amount: integerText,
  }),
  data: z.looseObject({ loanRequestId: z.string(), step: z.string(), preApproveId: z.string() }),
})

export const startWidget = endpoint(calls.startWidget, {
  request: z.strictObject({ amount: integerText, externalTrxId: text, entityId: text, email: text }),
  data: z.looseObject({ accepted: z.boolean(), widgetToken: z.optional(z.nullable(unicode)) }),
})

export { REDIRECT_DELAY_MS, WIDGET_TOKEN_LIFE_MS } from './widget.ts'
