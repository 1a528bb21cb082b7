import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { generateSource } from 'oazapfts'
import { expect, test } from 'vitest'
import { handledGaps } from '../src/commands/contract/handled-gaps.ts'
import { machine } from './harness.ts'
import { program } from './program.ts'
import { ROOT } from './source-graph.ts'

async function document(): Promise<string> {
  using m = machine()
  const ran = await m.run('contract openapi')
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  return ran.stdout
}

test('an independent linter finds no error in the document, and only warnings that follow from the specification', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: await document(), absoluteRef: '/openapi.json', config })
  const found = problems.map(({ ruleId, severity }) => `${severity} ${ruleId}`)
  // Two paths of the specification overlap, one answers with a redirect alone, and it names few statuses of refusals.
  const own = ['warn no-ambiguous-paths', 'warn operation-2xx-response', 'warn operation-4xx-response']
  expect(found.filter((problem) => !own.includes(problem))).toEqual([])
})

test('a client made by an independent generator pays on the sandbox', async () => {
  // Beside the sources, so that what it imports is found.
  const dir = mkdtempSync(join(ROOT, '.generated-'))
  try {
    const spec = join(dir, 'openapi.json')
    const file = join(dir, 'client.ts')
    writeFileSync(spec, await document())
    writeFileSync(file, await generateSource(spec))
    const tsc = join(ROOT, 'node_modules/typescript/lib/tsc.js')
    const flags =
      '--ignoreConfig --noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler'
    const checked = spawnSync(process.execPath, [tsc, ...flags.split(' '), file], { encoding: 'utf8' })
    expect(checked.stdout).toBe('')

    await using p = program()
    const { ready, baseUrl } = await p.sandbox('--ephemeral')
    const partner = ready.partners.find((each: { product: string }) => each.product === 'bnpl')
    const client = await import(file)
    client.defaults.baseUrl = baseUrl
    client.defaults.headers = { authorization: `Bearer ${partner.apiKey}` }
    const order = { externalTrxId: 'generated-1', amount: 250_000, entityId: partner.entityId }
    const evaluated = await client.evaluate({ ...order, idNumber: '11111111-1' })
    expect(evaluated.status).toBe(200)
    const { preApproveId, installmentOptions } = evaluated.data.data
    const [{ installments }] = installmentOptions
    const { externalTrxId, amount } = order
    const selected = await client.select({ preApproveId, installmentOption: installments, externalTrxId, amount })
    expect(selected.data.data.preApproveId).toBe(preApproveId)
    const started = await client.startWidget({ ...order, email: 'maria@example.com' })
    expect(started.data.data.accepted).toBe(true)
    expect((await client.verifyLoan(externalTrxId, {})).status).toBe(404)
    const shop = `${baseUrl}/shop`
    const returns = { successReturnUrl: `${shop}/paid`, errorReturnUrl: `${shop}/failed` }
    const { widgetToken } = started.data.data
    const asked = new URLSearchParams({ widgetToken, publicKey: partner.publicKey, ...returns })
    expect(await confirmAt(`${ready.paymentUrl}/?${asked}`)).toContain(`${returns.successReturnUrl}?preApproveId=`)
    const verified = await client.verifyLoan(externalTrxId, {})
    expect(verified.data.data).toMatchObject({
      externalTrxId,
      loanAmount: amount,
      periods: installments,
      state: 'ACTIVE',
    })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

/** Sends the form of a payment page as a browser does whose user presses “confirm”. @returns the page that came of it */
async function confirmAt(address: string): Promise<string> {
  const page = await (await fetch(address)).text()
  const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
  const [form = ''] = /<form [^>]*method="post"[^>]*>/.exec(page) ?? []
  const body = new URLSearchParams({ action: 'confirm' })
  for (const [tag] of page.matchAll(/<input [^>]*>/g))
    if (/ type="hidden"| checked/.test(tag)) body.append(attribute(tag, 'name'), attribute(tag, 'value'))
  const paid = await fetch(new URL(attribute(form, 'action'), address), { method: 'POST', body })
  expect([paid.status, paid.redirected]).toEqual([200, true])
  return paid.text()
}

test('contract gaps: every one, for people within 80 columns and for programs', async () => {
  using m = machine()
  const { stdout } = await m.run('contract gaps')
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  expect(stdout.match(/^ ?\d+ {2}/gm)).toHaveLength(handledGaps().length)
  expect((await m.run('contract gaps --json')).json()).toEqual(handledGaps())
})
