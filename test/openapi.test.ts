import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString, loadConfig } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { handledGaps, openQuestions } from '../src/commands/contract/contract.ts'
import { SPECIFICATION } from '../src/contract/description.ts'
import { document } from './foreign/document.ts'
import { machine } from './kit/harness.ts'
import { ROOT } from './kit/source-graph.ts'

test('redocly finds no error and no warning, except for the rules that redocly.yaml turns off with a reason', async () => {
  const source = await document()
  const problems = async (config: Awaited<ReturnType<typeof createConfig>>) =>
    (await lintFromString({ source, absoluteRef: '/openapi.json', config })).map(({ ruleId }) => ruleId)
  const path = join(ROOT, 'redocly.yaml')
  expect(await problems(await loadConfig({ configPath: path }))).toEqual([])
  // Every rule that is turned off has a reason, and is turned off because the document breaks it.
  const [, rules = ''] = readFileSync(path, 'utf8').split('rules:\n')
  const excused = [...rules.matchAll(/^ {2}# .+\n {2}([\w-]+): off$/gm)].map(([, rule]) => rule)
  expect(rules.match(/^ *[\w-]+:/gm)).toHaveLength(excused.length)
  expect(new Set(await problems(await createConfig({ extends: ['recommended'] })))).toEqual(new Set(excused))
})

test('contract openapi has the paths and the header names of a service that is named', async () => {
  using m = machine()
  const fields = { 'paths.leads': { answer: '/partner/v2/leads' }, signatureHeader: { answer: 'x-signature' } }
  writeFileSync(join(m.dir, 'own.json'), JSON.stringify({ kind: 'bnpl service description', version: 1, fields }))
  const of = async (more = '') => (await m.run(`contract openapi --json${more}`)).json()
  const [specified, own] = [await of(), await of(' --service own.json')]
  expect(specified.paths['/partner/leads'].get['x-not-shown']).toBeDefined()
  expect(own.paths).not.toHaveProperty(['/partner/leads'])
  expect(own.paths['/partner/v2/leads'].get.operationId).toBe('listLeads')
  expect(own.paths['/partner/v2/leads'].get['x-not-shown']).toBeUndefined()
  const headerOf = ({ webhooks }: typeof own) => webhooks.loan_approved.post.parameters[0].name
  expect([headerOf(specified), headerOf(own)]).toEqual(['service-signature', 'x-signature'])
})

test('contract gaps prints every gap, as text within 80 columns and as JSON', async () => {
  using m = machine()
  const { stdout } = await m.run('contract gaps')
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  expect(stdout.match(/^ ?\d+ {2}/gm)).toHaveLength(handledGaps().length)
  const printed = (await m.run('contract gaps --json')).json()
  expect(printed).toEqual(openQuestions(SPECIFICATION))
  expect(new Set(printed.map(({ gap }: { gap: number | null }) => gap))).toEqual(
    new Set([...handledGaps().map(({ number }) => number), null]),
  )
  for (const { source } of printed) expect(['specification', 'convention']).toContain(source)
})
