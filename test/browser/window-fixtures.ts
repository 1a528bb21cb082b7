import type { Browser, BrowserContext } from 'playwright-core'
import { test as base } from 'vitest'
import { startBrowser } from './chromium.ts'
import { openWindowKit } from './window-kit.ts'

type ContextOptions = Parameters<Browser['newContext']>[0]

/** Tests with one browser for the whole file, and for each test a new sandbox and visitors who speak English by default. */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the empty pattern that this fixture needs no other
  .extend('browser', { scope: 'file' }, async ({}, { onCleanup }) => {
    const browser = await startBrowser()
    onCleanup(() => browser.close())
    return browser
  })
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the empty pattern that this fixture needs no other
  .extend('kit', async ({}, { onCleanup }) => {
    const kit = await openWindowKit()
    onCleanup(() => kit[Symbol.asyncDispose]())
    return kit
  })
  .extend('person', async ({ browser }, { onCleanup }) => {
    const contexts: BrowserContext[] = []
    onCleanup(async () => {
      for (const context of contexts) await context.close()
    })
    return async (options: ContextOptions = {}) => {
      const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 860 }, ...options })
      contexts.push(context)
      return context
    }
  })
