// When new rows appear above the rows of a list, the old rows slide to their new place instead of jumping there.

const SLIDE_MS = 90

const wantsRest = window.matchMedia('(prefers-reduced-motion: reduce)')

/** For each list: resolves when its rows are painted in their new place. @type {WeakMap<HTMLElement, Promise<unknown>>} */
const painted = new WeakMap()

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))

/** Waits until the rows of a list are in their new place. @param {HTMLElement} list */
export const settled = async (list) => painted.get(list)

/** Draws a list again, and lets the old rows slide from their old place. @param {HTMLElement} list @param {() => void} draw */
export function slide(list, draw) {
  const seen = [...list.children].find((row) => row.getBoundingClientRect().bottom > 0)
  const before = seen?.getBoundingClientRect().top
  draw()
  if (before === undefined || seen === undefined || !seen.isConnected || wantsRest.matches) return
  const moved = seen.getBoundingClientRect().top - before
  if (moved === 0) return
  const frames = [
    { transform: `translateY(${-moved}px)`, clipPath: `inset(${Math.max(0, moved)}px 0 0 0)` },
    { transform: 'none', clipPath: 'inset(0)' },
  ]
  const { finished } = list.animate(frames, { duration: SLIDE_MS, easing: 'ease-out' })
  painted.set(list, finished.catch(nextFrame).then(nextFrame).then(nextFrame))
}
