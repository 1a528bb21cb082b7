import { expect, test } from 'vitest'
import { type Check, showChecks } from './checks.ts'
import { createOutput } from './output.ts'
import { createStyle } from './style.ts'

const CHECKS: Check[] = [
  { name: 'a delivery with the start of the right signature is refused', status: 'ok', detail: 'answered 401', ms: 1 },
  {
    name: 'the address',
    status: 'fail',
    detail: 'plain http: fine on this machine and nowhere else',
    hint: 'Use https.',
    ms: 1,
  },
]

async function shown(width: number): Promise<string> {
  let text = ''
  const plain = await createStyle(false)
  const io = {
    out: async (chunk: string | Uint8Array) => {
      text += chunk
    },
  }
  const output = createOutput(io as never, { output: 'table', quiet: false }, { out: plain, err: plain })
  await showChecks(output, CHECKS, width)
  return text
}

test('where results do not fit beside long names, what is not in order is told in full below its name', async () => {
  expect(await shown(80)).toBe(
    [
      '✓  a delivery with the start of the right signature is refused',
      '✗  the address',
      '   plain http: fine on this machine and nowhere else',
      '   Use https.',
      '',
    ].join('\n'),
  )
})

test('where there is room, it is a table', async () => {
  expect(await shown(Number.POSITIVE_INFINITY)).toMatch(/is refused +answered 401\n✗ {2}the address +plain http/)
})
