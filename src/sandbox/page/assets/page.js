// What the payment page can do in addition to plain HTML. Without this file, customers can still confirm, cancel and return.

/**
 * Counts down to zero. Reads the clock instead of counting ticks, because a suspended tab gets no ticks.
 * @param {number} spanMs @param {(leftMs: number) => void} show called at once, then every second @param {() => void} done called at zero
 * @returns {() => void} stops the countdown
 */
function countDown(spanMs, show, done) {
  const deadline = Date.now() + spanMs
  const tick = () => {
    const leftMs = Math.max(0, deadline - Date.now())
    show(leftMs)
    if (leftMs > 0) return
    stop()
    done()
  }
  const stop = () => {
    clearInterval(interval)
    document.removeEventListener('visibilitychange', tick)
  }
  const interval = setInterval(tick, 1000)
  document.addEventListener('visibilitychange', tick)
  tick()
  return stop
}

/** @param {number} ms @returns {string} mm:ss, rounded up, so that zero means that the time is over */
function minutesAndSeconds(ms) {
  const seconds = Math.ceil(ms / 1000)
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`
}

/** @template {Element} T @param {string} selector @param {new () => T} kind @returns {T | null} */
function find(selector, kind) {
  const element = document.querySelector(selector)
  return element instanceof kind ? element : null
}

function watchExpiry() {
  const clock = find('[data-expires-in]', HTMLElement)
  const announcer = find('[data-announcer]', HTMLElement)
  if (clock === null) return
  /** @type {Record<string, string>} */
  const announcements = JSON.parse(clock.dataset.announcements ?? '{}')
  const spanMs = Number(clock.dataset.expiresIn)
  let spokenAt = spanMs / 1000
  countDown(
    spanMs,
    (leftMs) => {
      const left = Math.ceil(leftMs / 1000)
      clock.textContent = minutesAndSeconds(leftMs)
      clock.parentElement?.classList.toggle('soon', left <= 120)
      clock.parentElement?.classList.toggle('last', left <= 30)
      const due = Object.keys(announcements)
        .map(Number)
        .filter((at) => left <= at && at < spokenAt)
      if (due.length === 0) return
      spokenAt = Math.min(...due)
      if (announcer !== null) announcer.textContent = announcements[spokenAt] ?? ''
    },
    expire,
  )
}

function expire() {
  const notice = find('[data-expired]', HTMLElement)
  const words = find('[data-expired] template', HTMLTemplateElement)
  if (notice === null || words === null) return
  // If the form was sent in time, wait for the next page, which tells how the payment ended.
  if (find('[data-payment][aria-busy]', HTMLElement) !== null) {
    setTimeout(expire, 1000)
    return
  }
  const focusWasInside = document.activeElement?.closest('[data-payment]') !== null
  for (const control of document.querySelectorAll('[data-payment] :is(button, input[type="radio"])')) {
    control.setAttribute('disabled', '')
  }
  document.body.classList.add('over')
  notice.replaceChildren(words.content)
  tellParent({ events: ['reject'], ended: JSON.parse(notice.dataset.expired ?? '{}') })
  const back = notice.querySelector('a')
  if (focusWasInside) back?.focus()
  watchReturn()
}

/** If no next page arrives within this time, the form can be sent again. */
const STOPPED_MS = 8000

const PLAN = 'bnpl-page-plan'

/**
 * Returns the text that is stored for the chosen plan. It contains the token, so that the plan of one payment is not restored for another payment.
 * @param {HTMLFormElement} form @param {unknown} installments
 */
const planOf = (form, installments) => `${new FormData(form).get('widgetToken')} ${installments}`

/** Keeps the chosen plan in this tab for a reload or a change of language. @param {HTMLFormElement} form */
function keepPlan(form) {
  try {
    sessionStorage.setItem(PLAN, planOf(form, new FormData(form).get('installments')))
  } catch {
    // Storage is switched off, so a reload chooses the first plan.
  }
}

/** @param {HTMLFormElement} form */
function restorePlan(form) {
  try {
    const kept = sessionStorage.getItem(PLAN)
    for (const radio of form.querySelectorAll('input[type="radio"]')) {
      if (radio instanceof HTMLInputElement && planOf(form, radio.value) === kept) radio.checked = true
    }
  } catch {
    // Storage is switched off, so no plan was stored.
  }
}

function watchForm() {
  const form = find('[data-payment]', HTMLFormElement)
  const button = find('[data-confirm-button]', HTMLButtonElement)
  if (form === null) return
  const name = () => {
    const chosen = form.querySelector('input[name="installments"]:is(:checked, [type="hidden"])')
    if (button !== null && chosen instanceof HTMLElement) button.textContent = chosen.dataset.confirm ?? ''
  }
  form.addEventListener('change', () => {
    keepPlan(form)
    name()
  })
  const buttons = [...form.querySelectorAll('button')]
  const labels = buttons.map((each) => each.textContent)
  const plans = find('fieldset.plans', HTMLFieldSetElement)
  let sent = false
  let isReached = false
  const offline = find('[data-offline]', HTMLElement)
  const release = () => {
    sent = false
    isReached = false
    form.removeAttribute('aria-busy')
    if (plans !== null) plans.inert = false
    for (const [index, each] of buttons.entries()) {
      each.disabled = false
      each.classList.remove('working')
      each.textContent = labels[index] ?? ''
    }
    name()
  }
  restorePlan(form)
  // Firefox keeps disabled buttons disabled after a reload.
  release()
  /** Sends the form if the page's server answers. Otherwise says so, because the browser's own error page would lead nowhere. */
  const sendIfReached = async (/** @type {HTMLElement | null} */ submitter) => {
    try {
      await fetch(window.location.href, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(STOPPED_MS) })
      isReached = true
    } catch {
      if (offline !== null) offline.hidden = false
      return release()
    }
    sent = false
    form.requestSubmit(submitter)
  }
  form.addEventListener('submit', (event) => {
    if (sent) return event.preventDefault()
    sent = true
    if (offline !== null) offline.hidden = true
    if (!isReached) {
      event.preventDefault()
      void sendIfReached(event.submitter)
    }
    form.setAttribute('aria-busy', 'true')
    // Make the plans inert instead of disabling them, because browsers do not send disabled fields.
    if (plans !== null) plans.inert = true
    for (const each of buttons) {
      each.disabled = each !== event.submitter
      if (each.disabled) continue
      each.classList.add('working')
      each.textContent = each.dataset.working ?? ''
    }
    // If no next page arrives in time, the button works again. A second click cannot pay twice, because a token is valid for one
    // payment.
    if (isReached) setTimeout(release, STOPPED_MS)
  })
}

function watchReturn() {
  const clock = find('[data-return-in]', HTMLElement)
  const link = find('a[data-return]', HTMLAnchorElement)
  if (clock === null || link === null) return
  const stop = countDown(
    Number(clock.dataset.returnIn),
    (leftMs) => {
      clock.textContent = String(Math.ceil(leftMs / 1000))
    },
    () => window.location.assign(link.href),
  )
  const stay = find('[data-stay]', HTMLButtonElement)
  if (stay === null) return
  stay.hidden = false
  stay.addEventListener('click', () => {
    stop()
    stay.remove()
    clock.parentElement?.remove()
    link.focus()
  })
}

/** Sends a message only to the page that mounted the widget. @param {object} message */
function tellParent(message) {
  const origin = document.documentElement.dataset.parentOrigin
  if (origin !== undefined && window.parent !== window)
    window.parent.postMessage({ from: 'bnpl-sandbox', ...message }, origin)
}

function report() {
  const height = () => tellParent({ height: Math.ceil(document.body.getBoundingClientRect().height) })
  new ResizeObserver(height).observe(document.body)
  tellParent({ events: JSON.parse(document.documentElement.dataset.events ?? '[]') })
  const success = find('[data-success]', HTMLElement)?.dataset.success
  if (success !== undefined) tellParent({ success: JSON.parse(success) })
  const ended = find('[data-ended]', HTMLElement)?.dataset.ended
  if (ended !== undefined) tellParent({ ended: JSON.parse(ended) })
}

// A page from the browser's back/forward cache is out of date.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) window.location.reload()
})
watchExpiry()
watchForm()
watchReturn()
report()
