import { expect, test } from 'vitest'
import { isRutName } from './field-names.ts'

test.each<[string, boolean]>([
  ['rut', true],
  [' R.U.T. ', true],
  ['idNumber', true],
  ['ID-number', true],
  ['rut_cliente', true],
  ['RUT titular', true],
  ['customerRut', true],
  ['rut2', true],
  ['RUTCliente', true],
  ['RUT_TITULAR', true],
  ['R.U.T. cliente', true],
  ['ＲＵＴ', true],
  ['rutina', false],
  ['bRUTo', false],
  ['ruta', false],
  ['truth', false],
  ['id', false],
  ['numberId', false],
  ['', false],
])('the field name %j is recognized correctly as the name of a RUT or of another value', (name, means) => {
  expect(isRutName(name)).toBe(means)
})
