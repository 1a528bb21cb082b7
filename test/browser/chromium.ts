import { type Browser, chromium } from 'playwright-core'
import { installedBrowser } from './installed.ts'

/** Starts a browser that needs nothing but the npm packages, or an installed Chrome (`installed.ts`). */
export async function startBrowser(): Promise<Browser> {
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
  const installed = await installedBrowser()
  if (installed === undefined) throw new Error('Chrome is not installed')
  return chromium.launch({ ...installed, args })
}
