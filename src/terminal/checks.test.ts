import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { type Check, showChecks } from './checks.ts'
import { createOutput, createStyle, type OutputFormat } from './output.ts'

const CHECKS: Check[] = [
  {
    name: 'a delivery with only the beginning of the right signature is refused',
    status: 'ok',
    detail: 'answered 401',
    ms: 1,
  },
  {
    name: 'the address',
    status: 'fail',
    detail: 'plain http: fine on this machine and nowhere else',
    hint: 'Use https.',
    ms: 1,
  },
]

async function shown(
  width: number,
  checks: readonly Check[] = CHECKS,
  output: OutputFormat = 'table',
): Promise<string> {
  let text = ''
  const plain = await createStyle(false)
  const io = {
    out: async (chunk: string | Uint8Array) => {
      text += chunk
    },
  }
  await showChecks(createOutput(io as never, { output, quiet: false }, { out: plain, err: plain }), checks, width)
  return text
}

test('if results do not fit beside long names, each failed result is shown in full below its name', async () => {
  expect(await shown(80)).toBe(
    [
      '✓  a delivery with only the beginning of the right signature is refused',
      '✗  the address',
      '   plain http: fine on this machine and nowhere else',
      '   Use https.',
      '',
    ].join('\n'),
  )
})

test('with enough width, checks and results are shown as a table', async () => {
  expect(await shown(Number.POSITIVE_INFINITY)).toMatch(/is refused +answered 401\n✗ {2}the address +plain http/)
})

test('hints, results and names of any script keep to the width [row 116]', async () => {
  const wide = {
    status: 'fail',
    ms: 1,
    name: '漢字'.repeat(6),
    detail: '漢字 '.repeat(20),
    hint: '漢字 '.repeat(20),
  } as const
  for (const width of [40, 80]) {
    const lines = (await shown(width, [wide, { ...wide, name: 'short' }])).split('\n')
    expect(lines.filter((line) => stringWidth(line.trimEnd()) > width)).toEqual([])
  }
})

test('many checks skipped for the same reason are one line in the table, and separate entries in JSON', async () => {
  const skipped = (n: number): Check[] =>
    Array.from({ length: n }, (_, i) => ({ name: `check ${i}`, status: 'skipped', detail: 'it is not there', ms: 0 }))
  const failed: Check = { name: 'a delivery', status: 'fail', detail: 'no answer', ms: 1 }
  expect(await shown(80, [...skipped(1), failed, ...skipped(9)])).toBe(
    [
      '   Check          Result',
      '-  check 0        it is not there',
      '✗  a delivery     no answer',
      '-  9 more checks  it is not there',
      '',
    ].join('\n'),
  )
  expect(await shown(80, [failed, ...skipped(8)])).toContain('check 7')
  expect(JSON.parse(await shown(80, [failed, ...skipped(9)], 'json'))).toHaveLength(10)
})
