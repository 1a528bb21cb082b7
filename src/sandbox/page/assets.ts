import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { LANGUAGES } from '../../contract/languages.ts'
import { PAGE_PATHS } from '../addresses.ts'
import { TEXTS } from '../languages/languages.ts'

const ASSETS = {
  'page.css': {
    type: 'text/css; charset=utf-8',
    files: ['colours.css', 'base.css', 'frame.css', 'payment.css', 'actions.css', 'result.css', 'screens.css'],
  },
  'page.js': { type: 'text/javascript; charset=utf-8', files: ['page.js'] },
  'icon.svg': { type: 'image/svg+xml', files: ['icon.svg'] },
  'widget.js': { type: 'text/javascript; charset=utf-8', files: ['widget.js'] },
} as const

export type AssetName = keyof typeof ASSETS

interface Asset {
  type: string
  content: string
  /** Changes with the content, so that browsers can cache the file without a time limit. */
  version: string
}

const loaded = new Map<AssetName, Asset>()

/** Returns a style sheet, script or picture of the page. Each file is read only once. */
export function asset(name: AssetName): Asset {
  const known = loaded.get(name)
  if (known !== undefined) return known
  const { type, files } = ASSETS[name]
  const text = files.map(assetText).join('\n')
  const content = name === 'widget.js' ? text.replace('/* words */', () => widgetWords()) : text
  const version = hash('sha256', content).slice(0, 12)
  const read = { type, content, version }
  loaded.set(name, read)
  return read
}

/** Returns the words of the widget in each language, as properties of an object in JavaScript. */
const widgetWords = () =>
  LANGUAGES.map((language) => {
    const { frameTitle, openWidget, closeWidget } = TEXTS[language].page
    return `${language}: ${JSON.stringify({ title: frameTitle, open: openWidget, close: closeWidget })},`
  }).join(' ')

export function assetText(file: string): string {
  return readFileSync(new URL(`./assets/${file}`, import.meta.url), 'utf8')
}

/** Returns an address with the version of the file, such as `/pay/page.css?v=…`. */
export function assetAddress(name: Exclude<AssetName, 'widget.js'>): string {
  return `${PAGE_PATHS.hosted}${name}?v=${asset(name).version}`
}

export function isAssetName(name: string): name is AssetName {
  return Object.hasOwn(ASSETS, name)
}
