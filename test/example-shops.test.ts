import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needsProgram } from './needs.ts'
import { program } from './program.ts'
import { ROOT } from './source-graph.ts'

/** How the example in each language is run. */
const EXAMPLES = [
  ['typescript', process.execPath, 'ts'],
  ['python', 'python3', 'py'],
  ['php', 'php', 'php'],
] as const

test.each(EXAMPLES)(
  'the shop in %s passes its own test in sandbox run --customer, and lists the order as paid and shipped once',
  async (language, runs, ending) => {
    needsProgram(runs)
    await using p = program()
    const path = (name: string) => join(ROOT, 'examples', language, `${name}.${ending}`)
    const env = { SHOP_DATA: join(p.dir, 'shop'), NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }
    const bought = await p.start(['sandbox', 'run', '--customer', '--', runs, path('test')], env).ended
    expect(bought.code, bought.stderr).toBe(0)
    // `sandbox run` hands the command's stdout through. The list of orders needs no sandbox.
    const listed = await p.start(['sandbox', 'run', '--', runs, path('shop'), 'orders'], env).ended
    expect(JSON.parse(listed.stdout)).toEqual({ externalTrxId: expect.any(String), paid: true, fulfilled: 1 })
    // The shop's data contain no national id and no key.
    expect(readFileSync(env.SHOP_DATA, 'latin1')).not.toMatch(/11111111|sk_sandbox|whsec_/)
  },
)

test.each(EXAMPLES)('the shop in %s has less than 200 lines', (language, _, ending) => {
  const text = readFileSync(join(ROOT, 'examples', language, `shop.${ending}`), 'utf8')
  expect(text.split('\n').length - 1).toBeLessThan(200)
})
