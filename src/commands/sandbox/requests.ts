import type { ControlResult } from '../../sandbox/service/control.ts'
import { formatTime } from '../../terminal/numbers.ts'
import { renderTable, tableOn } from '../../terminal/table.ts'
import { type Define, examples } from '../command.ts'
import { readCount } from '../option-values.ts'
import { sandboxToDrive } from './drive.ts'
import { harmInWords } from './fault/fault-table.ts'

const FAULT = {
  title: 'Fault',
  value: ({ fault }: ControlResult<'requests'>[number]) => (fault === null ? '' : harmInWords(fault)),
  shrinks: true,
}

export const define: Define = (command, act) => {
  command.option('--limit <n>', 'show at most this many requests', '50').action(
    act(async (context, { limit: text }) => {
      const limit = readCount('--limit', text)
      const requests = await (await sandboxToDrive(context)).control('requests', { limit })
      const { style } = context.output
      await context.output.result(requests, () => {
        if (requests.length === 0) return 'No requests yet.'
        const today = formatTime(new Date(context.clock.now()).toISOString()).slice(0, 10)
        const ofToday = requests.every(({ at }) => formatTime(at).startsWith(today))
        return renderTable(
          requests,
          [
            { title: 'At', value: ({ at }) => formatTime(at).slice(ofToday ? 11 : 5) },
            { title: 'Account', value: ({ partner }) => partner ?? '', shrinks: true },
            { title: 'Request', value: ({ method, path }) => `${method} ${path}` },
            {
              title: 'Answer',
              value: ({ status }) => (status === 0 ? 'cut' : String(status)),
              align: 'right',
              look: (shown, { status }) => (status >= 200 && status < 400 ? style.green(shown) : style.red(shown)),
            },
            { title: 'ms', value: ({ ms }) => String(ms), align: 'right' },
            ...(requests.some(({ fault }) => fault !== null) ? [FAULT] : []),
          ],
          tableOn(context.output),
        )
      })
    }),
  )
  examples(command, [
    ['the requests of your program', 'bnpl sandbox requests --limit 10'],
    ['one request, with its masked bodies', 'bnpl sandbox requests --limit 1 --json'],
  ])
}
