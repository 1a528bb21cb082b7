// How this browser opens the window. It exchanges the ticket in a link for a key, and stores the key for this origin (with its port). The
// key is not in a cookie, because browsers send a cookie to every port of a machine.

const KEPT_AS = 'bnpl-window-key'

/** `#ticket=…`, then the part of the page to open, if there is one: `#/requests`. */
const TICKET = /^#ticket=([\w-]+)(#\/.*)?$/

/** The key, for a browser that cannot store it. It is lost when this page is closed. */
let here = ''
/** Whether the last ticket was no longer valid. */
let isUsed = false
let isClosed = false

/** The key of this browser, or ''. Read it each time, because another tab may have got a new one. */
export function key() {
  try {
    return localStorage.getItem(KEPT_AS) ?? here
  } catch {
    return here
  }
}

/** @param {string} given */
function keep(given) {
  here = given
  try {
    localStorage.setItem(KEPT_AS, given)
  } catch {
    // Storage is switched off, so the key is only in `here`.
  }
}

/**
 * Removes the ticket from the address, if there is one, and exchanges it for a key.
 * @returns whether the exchange worked
 */
export async function comeIn() {
  const [, ticket, part = ''] = TICKET.exec(window.location.hash) ?? []
  if (ticket === undefined) return false
  history.replaceState(null, '', `${window.location.pathname}${window.location.search}${part}`)
  const answer = await fetch('/_window/enter', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket }),
  }).catch(() => undefined)
  isUsed = answer?.status === 401
  if (!answer?.ok) return false
  /** @type {{ data: { key: string } }} */
  const { data } = await answer.json()
  keep(data.key)
  return true
}

/** Shows only how to open the window, and nothing else. The page does not reload by itself after this. */
export function showDoor() {
  const door = document.querySelector('[data-door]')
  if (!(door instanceof HTMLElement) || isClosed) return
  isClosed = true
  const used = door.querySelector('[data-used]')
  if (used instanceof HTMLElement) used.hidden = !isUsed
  door.hidden = false
  document.body.replaceChildren(door)
}
