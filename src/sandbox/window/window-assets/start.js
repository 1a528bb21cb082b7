// The start of the page: with a key it draws everything, without one it shows how to get in.
import { comeIn, key, showDoor } from './entrance.js'

// A link that is opened in a tab with this page changes only the fragment of the address.
window.addEventListener('hashchange', async () => {
  if (await comeIn()) window.location.reload()
})
await comeIn()
if (key() === '') showDoor()
else await import('./app.js')
