import { expectTypeOf, test } from 'vitest'
import type { ControlName, ControlResult } from '../../service/controls/controls.ts'
import type { ActionResults } from './rows.ts'

test('the control actions return what the window’s scripts read of them', () => {
  expectTypeOf<keyof ActionResults>().toExtend<ControlName>()
  expectTypeOf<ControlResult<'pay'>>().toExtend<ActionResults['pay']>()
  expectTypeOf<ControlResult<'clock'>>().toExtend<ActionResults['clock']>()
  expectTypeOf<ControlResult<'lead'>>().toExtend<ActionResults['lead']>()
  expectTypeOf<ControlResult<'deliver'>>().toExtend<ActionResults['deliver']>()
})
