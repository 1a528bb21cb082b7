// The start of the page: with a key it draws everything, without one it shows how to get in.
import { comeIn, key, showDoor } from './entrance.js'
import { keptLanguage } from './kept.js'

// A link that is opened in a tab with this page changes only the fragment of the address.
window.addEventListener('hashchange', async () => {
  if (await comeIn()) window.location.reload()
})
/** The page in the language that the reader chose in an earlier visit; undefined when it is in it, or when the address names a language. */
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
  await comeIn()
  if (key() === '') showDoor()
  else await import('./app.js')
}
