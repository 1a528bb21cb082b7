import { expect } from 'vitest'
import { program } from '../kit/program.ts'
import { test } from './window-fixtures.ts'
import { PARTS } from './window-views.ts'

test('the window of the built program loads one script file and shows every part without an error', async ({
  person,
}) => {
  await using p = program()
  await p.sandbox()
  const { stdout } = await p.run('sandbox open --print --json')
  const page = await (await person()).newPage()
  const problems: string[] = []
  const scripts = new Set<string>()
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('requestfailed', (request) => problems.push(request.url()))
  page.on('request', (request) => request.resourceType() === 'script' && scripts.add(request.url()))
  await page.goto(JSON.parse(stdout).url)
  for (const part of PARTS) {
    await page.locator(`nav a[href="#/${part}"]`).click()
    await page.locator(`main[data-part="${part}"]`).waitFor()
    await page
      .locator(part === 'controls' ? '.account' : '.empty:visible')
      .first()
      .waitFor()
  }
  expect([problems, scripts.size]).toEqual([[], 1])
})
