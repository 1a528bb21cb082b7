import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { renderHelp } from '../../scripts/help.ts'
import { toManual } from '../../src/cli/manual.ts'
import { machine } from '../kit/harness.ts'
import { needsProgram } from '../kit/needs.ts'

test('the manual escapes text that roff would interpret', () => {
  const manual = toManual({ '': ".dot --flag 'a' \\n", verify: 'año ≤ 3' }, '1.2.3')
  expect(manual).toContain('\\&.dot \\-\\-flag \\(aqa\\(aq \\en\n')
  expect(manual).toContain('.SH "BNPL VERIFY"\n.nf\na\\[u00F1]o \\[u2264] 3\n.fi')
})

test('`bnpl help manual` prints the manual of the package, and with BNPL_LANG=es the same sections in Spanish', async () => {
  using m = machine()
  const english = await m.run('help manual')
  expect(english).toMatchObject({ code: 0, stderr: '' })
  expect(english.stdout).toBe(toManual(await renderHelp(m.world().world.version), m.world().world.version))
  expect(english.stdout).not.toContain('BNPL __COMPLETE')
  const spanish = await m.run('help manual', { env: { BNPL_LANG: 'es' } })
  const sections = (text: string) => [...text.matchAll(/^\.SH (.*)$/gm)].map(([, name]) => name)
  expect(sections(spanish.stdout)).toEqual(['NOMBRE', 'DESCRIPCI\\[u00D3]N', ...sections(english.stdout).slice(2)])
  const help = (await m.run('webhooks listen --help', { env: { BNPL_LANG: 'es' } })).stdout
  expect(spanish.stdout).toContain(toManual({ '': '', x: help }, '0').split('.nf').at(-1))
  needsProgram('man')
  const shown = spawnSync('man', ['-l', '-'], {
    input: spanish.stdout,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', MANWIDTH: '100' },
  })
  expect(shown).toMatchObject({ status: 0, stderr: '' })
  expect(shown.stdout).toMatch(/^NOMBRE\n +bnpl - la herramienta de operaciones/m)
  expect(shown.stdout).toContain('Uso: bnpl webhooks listen [')
})
