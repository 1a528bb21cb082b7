/** The names of the fields that a run itself gives to a result. */
const OWN = new Set([
  'line',
  'outcome',
  'error',
  'differences',
  'expectedAmount',
  'expectedState',
  'expectedPeriods',
  'expectedInstallmentAmount',
  'expectedLastInstallmentAmount',
  'expectedInterestRate',
  'expectedTransferDate',
  'answeredExternalTrxId',
])

/**
 * Returns the fields that a service's answer adds to a row's result. The service may send fields of any name, and none of them may change
 * what the run itself says about the row. So a field with the name of one of the run's own fields becomes `answer.<name>`. If both fields
 * have the same value, the answer's field is left out.
 * @param own the run's own fields of this result
 */
export function answerFields(answer: object, own: object): Record<string, unknown> {
  // In most answers no name is taken. Copying the whole answer is then several times faster than adding its fields one by one.
  if (!Object.keys(answer).some((name) => OWN.has(name) || Object.hasOwn(own, name))) return { ...answer }
  const fields = Object.entries(answer).flatMap(([name, value]): [string, unknown][] => {
    const mine = Object.getOwnPropertyDescriptor(own, name)
    if (mine !== undefined) return mine.value === value ? [] : [[`answer.${name}`, value]]
    return [[OWN.has(name) ? `answer.${name}` : name, value]]
  })
  return Object.fromEntries(fields)
}
