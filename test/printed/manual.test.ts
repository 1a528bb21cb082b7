import { expect, test } from 'vitest'
import { toManual } from '../../scripts/manual.ts'

test('the manual escapes text that roff would interpret', () => {
  const manual = toManual({ '': ".dot --flag 'a' \\n", verify: 'año ≤ 3' }, '1.2.3')
  expect(manual).toContain('\\&.dot \\-\\-flag \\(aqa\\(aq \\en\n')
  expect(manual).toContain('.SH "BNPL VERIFY"\n.nf\na\\[u00F1]o \\[u2264] 3\n.fi')
})
