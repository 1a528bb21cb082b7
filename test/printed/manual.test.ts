import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { renderHelp } from '../../scripts/help.ts'
import { toManual } from '../../src/cli/manual.ts'
import { machine } from '../kit/harness.ts'
import { needsProgram } from '../kit/needs.ts'

test('the manual escapes text that roff would interpret', () => {
  const manual = toManual({ '': ".dot --flag 'a' \\n", verify: 'año ≤ 3' }, '1.2.3')
  expect(manual).toContain('\\&.dot \\-\\-flag \\(aqa\\(aq \\en\n')
  expect(manual).toContain('.SH "BNPL VERIFY"\n.in 0\n.nf\na\\[u00F1]o \\[u2264] 3\n.fi')
})

test('`bnpl help manual` prints the manual of the package, with BNPL_LANG=es the same sections in Spanish, and `man` shows both in 80 columns', async () => {
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
  // The help texts are as wide as a terminal of 80 columns, so any indentation would break their longest lines.
  const [inEnglish = '', inSpanish = ''] = [english, spanish].map(({ stdout }) => {
    const shown = spawnSync('man', ['-l', '-'], {
      input: stdout,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', MANWIDTH: '80' },
    })
    expect(shown).toMatchObject({ status: 0, stderr: '' })
    expect(shown.stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
    return shown.stdout
  })
  expect(inEnglish).toContain('\nUsage: bnpl webhooks listen [')
  expect(inSpanish).toMatch(/^NOMBRE\n +bnpl - la herramienta de operaciones de los comercios/m)
  expect(inSpanish).toContain('\nUso: bnpl webhooks listen [')
})
