import { expect, test } from 'vitest'
import { machine } from '../../test/harness.ts'
import { typedTerminal } from '../../test/typed-terminal.ts'
import { startProgress } from './progress.ts'

test('after giveWay, updates are not drawn at once, and the progress line returns with the latest text', async () => {
  using m = machine()
  const { io, screen } = typedTerminal([])
  const line = await startProgress({ ...m.world().world.io, ...io, redraws: true }, false, 'first')
  line.giveWay()
  line.update('second')
  line.update('third')
  expect(screen()).not.toMatch(/second|third/)
  await expect.poll(screen).toContain('third')
  expect(screen()).not.toContain('second')
  line.giveWay()
  line.stop()
  line.update('fourth')
  expect(screen()).not.toContain('fourth')
})
