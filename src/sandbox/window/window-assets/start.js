// Where the page begins: with the key of this browser it draws everything, without one the closed door.
import { comeIn, key, showDoor } from './entrance.js'

// A link that is opened in a tab which shows the page already changes no more than its fragment.
window.addEventListener('hashchange', async () => {
  if (await comeIn()) window.location.reload()
})
await comeIn()
if (key() === '') showDoor()
else await import('./app.js')
