// How this browser gets in. The ticket of a link is given for a key, which is kept for this origin with its port: unlike a cookie it
// goes to no other server of this machine.

const KEPT_AS = 'bnpl-window-key'

/** `#ticket=…`, then the part of the page to begin with where one is named: `#/requests`. */
const TICKET = /^#ticket=([\w-]+)(#\/.*)?$/

/** The key where the browser keeps nothing for us: it goes with this page. */
let here = ''
/** Whether the last ticket opened nothing. */
let isUsed = false
let isClosed = false

/** What opens everything the page asks, '' for none. Read each time: another tab may have got another one. */
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
    // Storage is switched off: `here` has it.
  }
}

/**
 * Takes the ticket out of the address, where there is one, and gives it for a key.
 * @returns whether it opened the window
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
  keep((await answer.json()).data.key)
  return true
}

/** Shows how to get in, in place of everything else. Nothing loads the page again by itself. */
export function showDoor() {
  const door = document.querySelector('[data-door]')
  if (!(door instanceof HTMLElement) || isClosed) return
  isClosed = true
  const used = door.querySelector('[data-used]')
  if (used instanceof HTMLElement) used.hidden = !isUsed
  door.hidden = false
  document.body.replaceChildren(door)
}
