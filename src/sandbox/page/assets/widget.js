// The sandbox's own widget, with two interfaces. Before you hand over the goods, let your backend verify the payment.
//
// The interface that the service banca.me publishes:
//
//   <script src="http://127.0.0.1:4555/widget.js"></script>
//   const widget = BancameWidget.create({ publicKey, widgetToken, buttonMode: 'hidden', onSuccess, onEvent, onReject })
//   widget.open()
//
// open() shows the payment over the page, close() hides it, and destroy() removes it. With buttonMode 'light' or 'dark', a button at the
// end of the page opens the widget. Without buttonMode the widget opens by itself, which is the sandbox's own choice. onSuccess or onReject
// is called once. Of the reasons of onReject, RISK_REJECTED and USER_HAS_ACTIVE_LOAN are published; the others are the sandbox's own.
//
// The interface of which the specification shows only onSuccess (gap 5):
//
//   BnplWidget.mount({ token, publicKey, element: '#pay', onSuccess({ preApproveId, externalTrxId }) { … } })
//
// mount() shows the payment in a frame inside `element` and returns { unmount() }. When the payment has succeeded, onSuccess is called
// once. When it has ended otherwise, onReject, onCancel or onExpire({ externalTrxId }) is called once. When the token opens no payment,
// onError({ problem }) is called once: missing, forged, wrong-key or used. Only the sandbox has these four.
// `theme` is 'light' or 'dark'. Without it, the frame has the colours of the page around it.
;(() => {
  const script = document.currentScript
  if (!(script instanceof HTMLScriptElement))
    throw new Error('widget.js: load it with a plain <script src="…/widget.js">')
  const { origin: home } = new URL(script.src)
  const page = new URL('pay/embed', script.src)
  /**
   * The words of the widget, by language. `assets.ts` writes them into this script.
   * @type {Record<string, { title: string, open: string, close: string }>}
   */
  const WORDS = {
    /* words */
  }
  const words = () => WORDS[document.documentElement.lang.split('-')[0] ?? ''] ?? WORDS.en

  /**
   * Returns the colour scheme of the page around the frame. Returns 'light' if that page declares none, and '' if it allows both, so
   * that the user's preference decides.
   * @param {Element} host
   */
  function themeOf(host) {
    const style = getComputedStyle(host).colorScheme
    const meta = document.querySelector('meta[name="color-scheme"]')?.getAttribute('content')
    // The computed style stays `normal` when only the meta element sets the colours.
    const schemes = (style === 'normal' ? (meta ?? '') : style).split(' ')
    if (schemes.includes('dark')) return schemes.includes('light') ? '' : 'dark'
    return 'light'
  }

  /** @typedef {{ preApproveId?: string, externalTrxId: string }} Payment */
  /** @typedef {{ externalTrxId: string }} End */
  /** @typedef {{ problem: string }} Failure */
  /** @typedef {{ outcome: string, reason: string, problem: string, preApproveId?: string, externalTrxId: string }} Ended */
  /** @typedef {{ onEvents: (events: string[]) => void, onPaid: (payment: Payment) => void, onEnded: (ended: Ended) => void }} Listener */

  /**
   * Makes the frame with the payment page. The listener hears of the end once.
   * @param {{ token: string, publicKey: string, theme: string }} options @param {Listener} listener
   */
  function paymentFrame({ token, publicKey, theme }, { onEvents, onPaid, onEnded }) {
    const address = new URL(page)
    address.searchParams.set('widgetToken', token)
    address.searchParams.set('publicKey', publicKey)
    address.searchParams.set('parentOrigin', window.location.origin)
    if (theme !== '') address.searchParams.set('theme', theme)
    const frame = document.createElement('iframe')
    frame.title = words()?.title ?? ''
    frame.referrerPolicy = 'no-referrer'
    frame.src = address.href
    frame.style.cssText = 'display:block;width:100%;height:640px;border:0;border-radius:16px;color-scheme:normal'
    let isOver = false

    /** @param {MessageEvent} event */
    function hear(event) {
      if (event.origin !== home || event.source !== frame.contentWindow) return
      const { from, height, events, success, ended } = event.data ?? {}
      if (from !== 'bnpl-sandbox') return
      if (typeof height === 'number') frame.style.height = `${height}px`
      if (isOver) return
      if (events !== undefined) onEvents(events)
      if (success === undefined && ended === undefined) return
      isOver = true
      if (success !== undefined) onPaid(success)
      else onEnded(ended)
    }

    window.addEventListener('message', hear)
    return {
      frame,
      remove() {
        window.removeEventListener('message', hear)
        frame.remove()
      },
    }
  }

  /**
   * @param {{ token: string, publicKey: string, element: Element | string, theme?: 'light' | 'dark',
   *   onSuccess?: (payment: Payment) => void, onReject?: (end: End) => void, onCancel?: (end: End) => void,
   *   onExpire?: (end: End) => void, onError?: (failure: Failure) => void }} options
   * @returns {{ unmount: () => void }}
   */
  function mount(options) {
    if (typeof options !== 'object' || options === null)
      throw new TypeError('BnplWidget.mount needs { token, publicKey, element, onSuccess }')
    const { token, publicKey, element, theme, onSuccess, onReject, onCancel, onExpire, onError } = options
    const host = typeof element === 'string' ? document.querySelector(element) : element
    if (!(host instanceof Element)) throw new TypeError('BnplWidget.mount: `element` is not an element of this page')
    if (typeof token !== 'string' || token === '') throw new TypeError('BnplWidget.mount: `token` is missing')
    if (typeof publicKey !== 'string' || publicKey === '')
      throw new TypeError('BnplWidget.mount: `publicKey` is missing')
    /** @type {Record<string, ((end: End) => void) | undefined>} */
    const ends = { rejected: onReject, cancelled: onCancel, expired: onExpire }
    const { frame, remove } = paymentFrame(
      { token, publicKey, theme: theme ?? themeOf(host) },
      {
        onEvents() {},
        onPaid: (payment) => onSuccess?.(payment),
        onEnded({ outcome, problem, externalTrxId }) {
          if (outcome === 'error') onError?.({ problem })
          else ends[outcome]?.({ externalTrxId })
        },
      },
    )
    host.replaceChildren(frame)
    return { unmount: remove }
  }

  /** Calls a function of the shop. If it throws, the browser reports its error, and the widget goes on. @param {() => void} call */
  function attempt(call) {
    try {
      call()
    } catch (error) {
      window.reportError(error)
    }
  }

  /**
   * Makes a button or a box of the widget. Its style is set by script, because the Content-Security-Policy of a shop can forbid style sheets.
   * @template {keyof HTMLElementTagNameMap} Name @param {Name} name @param {string} style
   */
  function make(name, style) {
    const element = document.createElement(name)
    element.style.cssText = style
    return element
  }

  /** @typedef {{ preApproveId: string | undefined, externalTrxId: string | undefined }} Transaction */

  /**
   * @param {{ publicKey: string, widgetToken: string, buttonMode?: 'hidden' | 'light' | 'dark', widgetProps?: object,
   *   onSuccess?: (message: { event: 'success_callback', metadata: Payment }) => void, onEvent?: (message: { event: string }) => void,
   *   onReject?: (message: { event: 'reject_callback' | 'error_callback', metadata: Transaction & { reason: string } }) => void }} options
   */
  function create(options) {
    const { publicKey = '', widgetToken = '', buttonMode, onSuccess, onEvent, onReject } = options ?? {}
    /** @type {Set<string>} */
    const reported = new Set()
    const listener = {
      /** @param {string[]} events */
      onEvents(events) {
        for (const event of events) {
          if (reported.has(event)) continue
          reported.add(event)
          attempt(() => onEvent?.({ event }))
        }
      },
      /** @param {Payment} payment */
      onPaid({ preApproveId, externalTrxId }) {
        const metadata = { preApproveId, externalTrxId }
        attempt(() => onSuccess?.({ event: 'success_callback', metadata: /** @type {Payment} */ (metadata) }))
      },
      /** @param {Pick<Ended, 'outcome' | 'reason'> & Partial<Payment>} ended */
      onEnded({ outcome, reason, preApproveId, externalTrxId }) {
        const event = outcome === 'rejected' || outcome === 'cancelled' ? 'reject_callback' : 'error_callback'
        attempt(() => onReject?.({ event, metadata: { preApproveId, externalTrxId, reason } }))
      },
    }

    const dialog = make('dialog', 'box-sizing:border-box;position:fixed;inset:0;width:100%;height:100%;border:0')
    dialog.style.cssText += 'max-width:none;max-height:none;margin:0;padding:8px;overflow:auto;background:#0009'
    dialog.setAttribute('aria-label', words()?.title ?? '')
    const box = make('div', 'max-width:480px;margin:0 auto')
    const closer = make('button', 'display:block;margin:0 0 8px auto;min-width:44px;min-height:44px;padding:0 12px')
    closer.style.cssText +=
      'border:0;border-radius:12px;background:#fff;color:#111;font:600 16px system-ui;cursor:pointer'
    closer.type = 'button'
    closer.textContent = words()?.close ?? ''
    closer.addEventListener('click', close)
    box.append(closer)
    dialog.append(box)
    /** @type {HTMLButtonElement | undefined} */
    let opener
    /** @type {ReturnType<typeof paymentFrame> | undefined} */
    let payment
    let isDestroyed = false

    function start() {
      if (publicKey !== '' && widgetToken !== '') {
        payment = paymentFrame({ token: widgetToken, publicKey, theme: themeOf(document.body) }, listener)
        box.append(payment.frame)
        return true
      }
      listener.onEvents(['reject'])
      listener.onEnded({ outcome: 'error', reason: publicKey === '' ? 'PUBLIC_KEY_INVALID' : 'WIDGET_TOKEN_INVALID' })
      return false
    }
    function open() {
      if (isDestroyed || dialog.open) return
      if (payment === undefined && !start()) return
      if (!dialog.isConnected) document.body.append(dialog)
      dialog.showModal()
    }
    function close() {
      dialog.close()
    }
    function destroy() {
      isDestroyed = true
      payment?.remove()
      dialog.remove()
      opener?.remove()
    }

    /** Waits for the body, because a script in the head can create a widget. @param {() => void} work */
    function whenReady(work) {
      const ready = () => !isDestroyed && work()
      if (document.body === null) document.addEventListener('DOMContentLoaded', ready, { once: true })
      else queueMicrotask(ready)
    }
    if (buttonMode === undefined) whenReady(open)
    else if (buttonMode !== 'hidden') {
      const colours = buttonMode === 'dark' ? 'background:#111;color:#fff' : 'background:#fff;color:#111'
      const shown = make(
        'button',
        `${colours};min-height:44px;padding:0 20px;border:1px solid #8888;border-radius:12px`,
      )
      shown.style.cssText += 'font:600 16px system-ui;cursor:pointer'
      shown.type = 'button'
      shown.textContent = words()?.open ?? ''
      shown.addEventListener('click', open)
      opener = shown
      whenReady(() => document.body.append(shown))
    }
    return Object.freeze({ open, close, destroy })
  }

  Object.assign(window, { BnplWidget: Object.freeze({ mount }), BancameWidget: Object.freeze({ create }) })
})()
