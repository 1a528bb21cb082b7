// How this browser gets in. It exchanges the ticket of a link for a key and keeps the key for this origin with its port. A cookie would be
// sent to every other server of this machine.

const KEPT_AS = 'bnpl-window-key'

/** `#ticket=…`, then the part of the page to open, if one is named: `#/requests`. */
const TICKET = /^#ticket=([\w-]+)(#\/.*)?$/

/** The key where the browser stores nothing: it is lost with this page. */
let here = ''
/** Whether the last ticket was not valid any more. */
let isUsed = false
let isClosed = false

/** The key of this browser, '' for none. Read each time: another tab may have got a new one. */
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
    // Storage is switched off: `here` has the key.
  }
}

/**
 * Removes the ticket from the address, if there is one, and exchanges it for a key.
 * @returns whether that worked
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

/** Shows how to get in instead of everything else. The page is not loaded again by itself. */
export function showDoor() {
  const door = document.querySelector('[data-door]')
  if (!(door instanceof HTMLElement) || isClosed) return
  isClosed = true
  const used = door.querySelector('[data-used]')
  if (used instanceof HTMLElement) used.hidden = !isUsed
  door.hidden = false
  document.body.replaceChildren(door)
}
