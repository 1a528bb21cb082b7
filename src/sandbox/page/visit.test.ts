import { expect, test } from 'vitest'
import { PAGE_PATHS } from '../addresses.ts'
import { readLanguage } from '../languages/languages.ts'
import { readVisit, visitAddress } from './visit.ts'

test.each([
  ['', '', 'es'],
  ['', 'es-CL,es;q=0.9,en;q=0.8', 'es'],
  ['', 'en-GB,en;q=0.9', 'en'],
  ['', 'de-DE,de;q=0.9,en;q=0.3', 'en'],
  ['', 'en;q=0.2, es;q=0.7', 'es'],
  ['', 'en;q=0, fr', 'es'],
  ['', 'en;q=x,,;;', 'es'],
  ['', 'fr-FR', 'es'],
  ['en', 'es', 'en'],
  ['es', 'en', 'es'],
  ['fr', 'en', 'en'],
])(
  'with the chosen language %j and the browser languages %j, the page is in %s',
  (chosen, acceptLanguage, language) => {
    expect(readLanguage(chosen, acceptLanguage)).toBe(language)
  },
)

test.each([
  ['https://shop.example', 'https://shop.example'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['', undefined],
  ['null', undefined],
  ['*', undefined],
  ['http://shop.example', undefined],
  ['https://shop.example/', undefined],
  ['https://shop.example/pay', undefined],
  ['https://shop.example https://evil.example', undefined],
  ['https://a;script-src', undefined],
  ["https://a'b", undefined],
  ['https://a,b', undefined],
  ['https://*.shop.example', undefined],
  ['https://user@shop.example', undefined],
  ['data:text/html,x', undefined],
])(
  'the parentOrigin %s is accepted only if it is a bare HTTPS or loopback origin [row 109]',
  (parentOrigin, framedBy) => {
    const visit = readVisit(
      { path: PAGE_PATHS.embedded, environment: 'beta' },
      new URLSearchParams({ publicKey: 'k', parentOrigin }),
      '',
    )
    expect(visit.place).toEqual(framedBy === undefined ? undefined : { kind: 'embedded', parentOrigin: framedBy })
    expect(visit.bad).toEqual(framedBy === undefined ? [{ name: 'parentOrigin', value: parentOrigin }] : [])
  },
)

test('the page keeps only its parameters, once each', () => {
  const query =
    'widgetToken=a%2Bb&widgetToken=c&publicKey=k&successReturnUrl=https%3A%2F%2Fs.example%2F%3Fa%3D1%26b&x=1'
  const visit = readVisit({ path: PAGE_PATHS.hosted, environment: 'beta' }, new URLSearchParams(query), '')
  expect(visitAddress(visit, { lang: 'en' })).toBe(
    '/pay/?widgetToken=a%2Bb&publicKey=k&successReturnUrl=https%3A%2F%2Fs.example%2F%3Fa%3D1%26b&lang=en',
  )
})
