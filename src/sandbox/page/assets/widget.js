// The sandbox's own widget: the specification shows only its onSuccess (gap 5).
//
//   <script src="http://127.0.0.1:4242/widget.js"></script>
//   BnplWidget.mount({ token, publicKey, element: '#pay', onSuccess({ preApproveId, externalTrxId }) { … } })
//
// mount() shows the payment in a frame inside `element` and returns { unmount() }. onSuccess is called once, when the payment
// succeeded. Let your backend verify the payment before you believe it.
;(() => {
  const script = document.currentScript
  if (!(script instanceof HTMLScriptElement))
    throw new Error('widget.js: load it with a plain <script src="…/widget.js">')
  const { origin: home } = new URL(script.src)
  const page = new URL('pay/embed', script.src)

  /**
   * @param {{ token: string, publicKey: string, element: Element | string,
   *   onSuccess?: (payment: { preApproveId?: string, externalTrxId: string }) => void }} options
   * @returns {{ unmount: () => void }}
   */
  function mount({ token, publicKey, element, onSuccess }) {
    const host = typeof element === 'string' ? document.querySelector(element) : element
    if (!(host instanceof Element)) throw new TypeError('BnplWidget.mount: `element` is not an element of this page')
    if (typeof token !== 'string' || token === '') throw new TypeError('BnplWidget.mount: `token` is missing')
    if (typeof publicKey !== 'string' || publicKey === '')
      throw new TypeError('BnplWidget.mount: `publicKey` is missing')

    const address = new URL(page)
    address.searchParams.set('widgetToken', token)
    address.searchParams.set('publicKey', publicKey)
    address.searchParams.set('parentOrigin', window.location.origin)
    const frame = document.createElement('iframe')
    frame.title = 'BNPL'
    frame.referrerPolicy = 'no-referrer'
    frame.src = address.href
    frame.style.cssText = 'display:block;width:100%;height:640px;border:0;border-radius:16px'
    let succeeded = false

    /** @param {MessageEvent} event */
    function hear(event) {
      if (event.origin !== home || event.source !== frame.contentWindow) return
      if (event.data?.from !== 'bnpl-sandbox') return
      if (typeof event.data.height === 'number') frame.style.height = `${event.data.height}px`
      if (event.data.success === undefined || succeeded) return
      succeeded = true
      onSuccess?.(event.data.success)
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
