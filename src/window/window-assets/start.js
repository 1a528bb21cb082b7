// With a key, the page draws the window. Without a key, the page shows how to open the window.
import { comeIn, key, showDoor } from './entrance.js'
import { keptLanguage } from './kept.js'
import { place } from './parts.js'

// If a link is opened in a tab that already shows this page, only the fragment of the address changes, and the page is
// not loaded again.
window.addEventListener('hashchange', async () => {
  if (await comeIn()) window.location.reload()
})
function inChosenLanguage() {
  const chosen = keptLanguage()
  const address = new URL(window.location.href)
  if (chosen === null || address.searchParams.has('lang') || document.documentElement.lang === chosen) return undefined
  address.searchParams.set('lang', chosen)
  return address
}

const chosenAddress = inChosenLanguage()
if (chosenAddress !== undefined) window.location.replace(chosenAddress)
else {
  const entering = comeIn()
  // While the ticket is exchanged, load the script of the part of the page that the address names. If this fails, `app.js` tries again.
  place()
    .part.load()
    .catch(() => {})
  await entering
  if (key() === '') showDoor()
  else await import('./app.js')
}
