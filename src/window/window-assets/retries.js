import { form } from './card.js'
import { optionWords } from './command-line.js'
import { h } from './dom.js'
import { schedule, scheduleText } from './durations.js'
import { command, FieldError, field } from './pieces.js'
import { actQuietly } from './server.js'
import { t } from './texts.js'

/** @returns {{ element: HTMLElement, refresh: (stepsMs: readonly number[]) => void }} */
export function retryBar() {
  const waits = h('input', { name: 'waits', required: true, size: 22, autocomplete: 'off' })
  const line = h('div', {})
  const changed = () =>
    line.replaceChildren(
      command(`bnpl sandbox deliveries ${optionWords('--schedule', waits.value.replaceAll(' ', ''))}`),
    )
  let known = ''
  const set = async () => {
    const stepsMs = schedule(waits.value.trim())
    if (stepsMs === undefined) throw new FieldError(waits, t.notSchedule)
    await actQuietly('deliverySchedule', { stepsMs })
    return t.scheduleSet
  }
  return {
    element: h(
      'div',
      { class: 'retries' },
      form([field(t.retriesAfter, waits), h('button', { type: 'submit' }, t.set)], set, changed),
      line,
    ),
    refresh(stepsMs) {
      const now = scheduleText(stepsMs)
      // If the schedule of the sandbox has not changed, do not overwrite what the user is typing.
      if (now === known) return
      known = now
      waits.value = now
      changed()
    },
  }
}
