import { expectTypeOf, test } from 'vitest'
import type { ControlName, ControlResult } from '../../sandbox/service/control.ts'
import type { ActionResults } from './rows.ts'

test('the results of the control actions have the fields that the window’s scripts read', () => {
  expectTypeOf<keyof ActionResults>().toExtend<ControlName>()
  expectTypeOf<ControlResult<'pay'>>().toExtend<ActionResults['pay']>()
  expectTypeOf<ControlResult<'clock'>>().toExtend<ActionResults['clock']>()
  expectTypeOf<ControlResult<'lead'>>().toExtend<ActionResults['lead']>()
  expectTypeOf<ControlResult<'deliver'>>().toExtend<ActionResults['deliver']>()
})
