// The sandbox's own widget. Of the real widget, the specification shows only onSuccess (gap 5).
//
//   <script src="http://127.0.0.1:4555/widget.js"></script>
//   BnplWidget.mount({ token, publicKey, element: '#pay', onSuccess({ preApproveId, externalTrxId }) { … } })
//
// mount() shows the payment in a frame inside `element` and returns { unmount() }. When the payment has succeeded, onSuccess is called
// once. When it has ended otherwise, onReject, onCancel or onExpire({ externalTrxId }) is called once. When the token opens no payment,
// onError({ problem }) is called once: missing, forged, wrong-key or used. Only the sandbox has these four.
// `theme` is 'light' or 'dark'. Without it, the frame has the colours of the page around it. Before you hand over the goods, let your
// backend verify the payment.
;(() => {
  const script = document.currentScript
  if (!(script instanceof HTMLScriptElement))
    throw new Error('widget.js: load it with a plain <script src="…/widget.js">')
  const { origin: home } = new URL(script.src)
  const page = new URL('pay/embed', script.src)
  /**
   * The title of the frame, by language. `assets.ts` writes the titles into this script.
   * @type {Record<string, string>}
   */
  const TITLES = {
    /* titles */
  }

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

    const address = new URL(page)
    address.searchParams.set('widgetToken', token)
    address.searchParams.set('publicKey', publicKey)
    address.searchParams.set('parentOrigin', window.location.origin)
    const colours = theme ?? themeOf(host)
    if (colours !== '') address.searchParams.set('theme', colours)
    const frame = document.createElement('iframe')
    frame.title = TITLES[document.documentElement.lang.split('-')[0] ?? ''] ?? TITLES.en ?? ''
    frame.referrerPolicy = 'no-referrer'
    frame.src = address.href
    frame.style.cssText = 'display:block;width:100%;height:640px;border:0;border-radius:16px;color-scheme:normal'
    let isOver = false
    /** @type {Record<string, ((end: End) => void) | undefined>} */
    const ends = { rejected: onReject, cancelled: onCancel, expired: onExpire }

    /** @param {MessageEvent} event */
    function hear(event) {
      if (event.origin !== home || event.source !== frame.contentWindow) return
      const { from, height, success, ended } = event.data ?? {}
      if (from !== 'bnpl-sandbox') return
      if (typeof height === 'number') frame.style.height = `${height}px`
      if (isOver || (success === undefined && ended === undefined)) return
      isOver = true
      if (success !== undefined) onSuccess?.(success)
      else if (ended.outcome === 'error') onError?.({ problem: ended.problem })
      else ends[ended.outcome]?.({ externalTrxId: ended.externalTrxId })
    }

    window.addEventListener('message', hear)
    host.replaceChildren(frame)
    return {
      unmount() {
        window.removeEventListener('message', hear)
        frame.remove()
      },
    }
  }

  Object.assign(window, { BnplWidget: Object.freeze({ mount }) })
})()
