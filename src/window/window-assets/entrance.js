// This browser exchanges the ticket in a link for a key, and stores the key for this origin. The key is not in a cookie, because browsers
// send a cookie to every port of a machine.

const KEPT_AS = 'bnpl-window-key'

/** An example is `#ticket=abc#/requests`, where `#/requests` is the part of the page to open. */
const TICKET = /^#ticket=([\w-]+)(#\/.*)?$/

/** A copy of the key, for a browser that cannot store the key. The copy is lost when the page is closed. */
let here = ''
let isUsed = false
let isClosed = false

/** Returns the key of this browser, or ''. Another tab may have got a new key, so do not keep the result. */
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

/** Removes the ticket from the address, and exchanges it for a key. Returns whether there was a ticket and the exchange worked. */
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

/** Replaces the page with the instructions for opening the window. */
export function showDoor() {
  const door = document.querySelector('[data-door]')
  if (!(door instanceof HTMLElement) || isClosed) return
  isClosed = true
  const used = door.querySelector('[data-used]')
  if (used instanceof HTMLElement) used.hidden = !isUsed
  door.hidden = false
  document.body.replaceChildren(door)
  const copy = door.querySelector('[data-copy]')
  if (!(copy instanceof HTMLElement)) return
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(copy.dataset.copy ?? '')
    copy.textContent = copy.dataset.copied ?? ''
  })
}
