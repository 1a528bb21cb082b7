import { expect, test } from 'vitest'
import { machine } from '../../test/kit/harness.ts'
import { typedTerminal } from '../../test/kit/typed-terminal.ts'
import { startLive, startProgress } from './progress.ts'

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

/** What a terminal shows of what is written to it: as much of one as this needs. */
function screen() {
  let lines = ['']
  return {
    write(text: string) {
      for (const part of text.match(/\u001b\[(\d*)([AJ])|\r|\n|[^\u001b\r\n]+/g) ?? []) {
        const up = /\u001b\[(\d+)A/.exec(part)
        if (up) lines = [...lines.slice(0, -1 - Number(up[1])), '']
        else if (part === '\n') lines.push('')
        else if (part !== '\r' && !part.startsWith('\u001b')) lines[lines.length - 1] += part
      }
    },
    shown: () => lines.filter((line, i) => line !== '' || i < lines.length - 1),
  }
}

test('permanent lines and the lines of other programs are kept above the redrawn lines', async () => {
  const terminal = screen()
  const live = startLive(
    {
      // A write that takes its time: what others write must still come after it.
      out: async (text) => {
        await new Promise(setImmediate)
        terminal.write(String(text))
      },
    },
    (error) => {
      throw error
    },
  )
  live.add('head')
  live.show(() => ['open 1', 'status 1'])
  await expect.poll(terminal.shown).toEqual(['head', 'open 1', 'status 1'])
  live.add('done 1')
  live.show(() => ['status 2'])
  live.around(() => terminal.write('warning\n'))
  await expect.poll(terminal.shown).toEqual(['head', 'done 1', 'warning', 'status 2'])
  live.add('done 2')
  await live.end()
  expect(terminal.shown()).toEqual(['head', 'done 1', 'warning', 'done 2'])
})

test('the lines at the bottom are made once for each drawing, not for each change', async () => {
  const written: string[] = []
  const live = startLive({ out: async (text) => void written.push(String(text)) }, () => {})
  let made = 0
  for (let n = 0; n < 1_000; n++)
    live.show(() => {
      made++
      return [`status ${n}`]
    })
  await expect.poll(() => written.join('')).toContain('status 999')
  expect(made).toBeLessThan(10)
  await live.end()
})
