import fc from 'fast-check'
import { expect, test } from 'vitest'
import { returnAddress } from './visit.ts'

test.each([
  ['https://shop.example', 'p1', 'T1', 'https://shop.example?preApproveId=p1&externalTrxId=T1'],
  ['https://shop.example/ok?cart=7', 'p1', 'T1', 'https://shop.example/ok?cart=7&preApproveId=p1&externalTrxId=T1'],
  ['https://shop.example/ok#/done', 'p1', 'T1', 'https://shop.example/ok?preApproveId=p1&externalTrxId=T1#/done'],
  ['https://shop.example/ok#/a?b=1', 'p1', 'T1', 'https://shop.example/ok?preApproveId=p1&externalTrxId=T1#/a?b=1'],
  [
    'https://shop.example/?a=1&a=2&x#f',
    'p1',
    'T1',
    'https://shop.example/?a=1&a=2&x&preApproveId=p1&externalTrxId=T1#f',
  ],
  [
    'https://shop.example/ok?q=a+b&u=%E1',
    'p1',
    'T1',
    'https://shop.example/ok?q=a+b&u=%E1&preApproveId=p1&externalTrxId=T1',
  ],
  [
    'https://shop.example/?sig=a%2Fb&flag&q=a%20b',
    'p1',
    'T1',
    'https://shop.example/?sig=a%2Fb&flag&q=a%20b&preApproveId=p1&externalTrxId=T1',
  ],
  ['https://shop.example/?a=1;b=2', 'p1', 'T1', 'https://shop.example/?a=1;b=2&preApproveId=p1&externalTrxId=T1'],
  ['https://shop.example/?a=b=c==', 'p1', 'T1', 'https://shop.example/?a=b=c==&preApproveId=p1&externalTrxId=T1'],
  ["https://shop.example/?a='x'&é=ñ", 'p1', 'T1', "https://shop.example/?a='x'&é=ñ&preApproveId=p1&externalTrxId=T1"],
  [
    'https://Shop.example:443/a/../b/%7e',
    'p1',
    'T1',
    'https://Shop.example:443/a/../b/%7e?preApproveId=p1&externalTrxId=T1',
  ],
  ['https://shop.example/ok?', 'p1', 'T1', 'https://shop.example/ok?preApproveId=p1&externalTrxId=T1'],
  ['https://shop.example/ok?a=1&', 'p1', 'T1', 'https://shop.example/ok?a=1&preApproveId=p1&externalTrxId=T1'],
  ['https://shop.example/ok  ', 'p1', 'T1', 'https://shop.example/ok?preApproveId=p1&externalTrxId=T1'],
  [
    'https://shop.example/?preApproveId=mine&b=%E1&preApproveId=again&pre%41pproveId&externalTrxId=old&c',
    'p1',
    'T1',
    'https://shop.example/?b=%E1&c&preApproveId=p1&externalTrxId=T1',
  ],
  ['https://shop.example/?preApproveId=mine', 'p1', 'T1', 'https://shop.example/?preApproveId=p1&externalTrxId=T1'],
  ['https://shop.example/error', undefined, 'T1', 'https://shop.example/error?preApproveId=undefined&externalTrxId=T1'],
  [
    'https://shop.example/?externalTrxId=mine',
    undefined,
    undefined,
    'https://shop.example/?externalTrxId=mine&preApproveId=undefined',
  ],
  [
    'https://shop.example/',
    'p&x=1#',
    'ñ 1/2',
    'https://shop.example/?preApproveId=p%26x%3D1%23&externalTrxId=%C3%B1%201%2F2',
  ],
])(
  'the return address %s gets preApproveId %s and externalTrxId %s at the end of its query [row 105]',
  (address, preApproveId, externalTrxId, expected) => {
    expect(returnAddress(address, preApproveId, externalTrxId)).toBe(expected)
  },
)

test('any return address keeps its bytes, leads to the same page, and has the two parameters one time at its end', () => {
  const word = fc.constantFrom(
    'a',
    'sig',
    '%E1',
    '%2F',
    '+',
    '%20',
    ';',
    '=',
    '&',
    '&&',
    'ñ',
    "'",
    '/',
    '?',
    'preApproveId',
    'externalTrxId=x',
  )
  const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(''))
  const part = (mark: string) =>
    fc.option(
      text.map((each) => mark + each),
      { nil: '' },
    )
  const path = text.map((each) => `/${each.replaceAll('?', '')}`)
  fc.assert(
    fc.property(path, part('?'), part('#'), fc.string(), fc.string(), (before, query, fragment, id, trx) => {
      const merchants = `https://shop.example${before}${query}`
      const result = returnAddress(merchants + fragment, id, trx)
      const own = new URL(merchants)
      const url = new URL(result)
      expect([url.origin, url.pathname, url.hash]).toEqual([
        own.origin,
        own.pathname,
        new URL(merchants + fragment).hash,
      ])
      const others = [...own.searchParams].filter(([name]) => name !== 'preApproveId' && name !== 'externalTrxId')
      expect([...url.searchParams]).toEqual([
        ...others,
        ['preApproveId', id.toWellFormed()],
        ['externalTrxId', trx.toWellFormed()],
      ])
      if (others.length === [...own.searchParams].length) expect(result.startsWith(merchants)).toBe(true)
      expect(result.endsWith(fragment)).toBe(true)
    }),
    { seed: 40 },
  )
})
