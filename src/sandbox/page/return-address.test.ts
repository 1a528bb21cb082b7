import { expect, test } from 'vitest'
import { returnAddress } from './visit.ts'

test.each([
  ['https://shop.example', 'p1', 'T1', 'https://shop.example/?preApproveId=p1&externalTrxId=T1'],
  ['https://shop.example/ok?cart=7', 'p1', 'T1', 'https://shop.example/ok?cart=7&preApproveId=p1&externalTrxId=T1'],
  ['https://shop.example/ok#/done', 'p1', 'T1', 'https://shop.example/ok?preApproveId=p1&externalTrxId=T1#/done'],
  [
    'https://shop.example/?a=1&a=2&x#f',
    'p1',
    'T1',
    'https://shop.example/?a=1&a=2&x=&preApproveId=p1&externalTrxId=T1#f',
  ],
  [
    'https://shop.example/?preApproveId=mine&b=2&preApproveId=again&externalTrxId=old',
    'p1',
    'T1',
    'https://shop.example/?preApproveId=p1&b=2&externalTrxId=T1',
  ],
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
    'https://shop.example/?preApproveId=p%26x%3D1%23&externalTrxId=%C3%B1+1%2F2',
  ],
])(
  'the return address %s gets preApproveId %s and externalTrxId %s as query parameters [row 105]',
  (address, preApproveId, externalTrxId, expected) => {
    expect(returnAddress(new URL(address), preApproveId, externalTrxId)).toBe(expected)
  },
)
