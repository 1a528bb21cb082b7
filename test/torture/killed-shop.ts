/** A shop that writes its starts and requests to a file. Its return page asks the service for the list of destinations. */
export const SERVER = `
const { createServer } = require('node:http')
const { appendFileSync, writeFileSync } = require('node:fs')
const { BNPL_BASE_URL: base, BNPL_API_KEY: key, BNPL_RUN_PORT: port, BNPL_RUN_DIR: folder } = process.env
const note = (what) => appendFileSync('notes', JSON.stringify({ what, pid: process.pid, port, folder }) + '\\n')
note('start')
if (process.argv[2] === 'marks') writeFileSync(folder + '/runs', '', { flag: 'wx' })
createServer(async (request, response) => {
  const path = request.url.split('?')[0]
  note(path)
  if (path === '/return') {
    const { status } = await fetch(base + '/partner/webhook', { headers: { authorization: 'Bearer ' + key } })
    if (process.argv[2] === 'trusts' && status !== 200) {
      writeFileSync('failed', '')
      // A process that keeps the output open, so that the end of the server is known only a moment later.
      require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'inherit' })
      throw new Error('unexpected')
    }
  }
  response.end()
}).listen(port, '127.0.0.1')`

/** A customer who buys, and opens the payment page again until the shop answers, or until the shop has failed and no longer listens. */
export const COMMAND = `
const env = process.env
const headers = { authorization: 'Bearer ' + env.BNPL_API_KEY }
const post = async (path, fields) => {
  const answer = await fetch(env.BNPL_BASE_URL + path, { method: 'POST', headers, body: new URLSearchParams(fields) })
  return (await answer.json()).data
}
const shop = 'http://127.0.0.1:' + env.BNPL_RUN_PORT
const order = { externalTrxId: 'A', amount: '250000', entityId: env.BNPL_ENTITY_ID }
const buy = async () => {
  await post('/partner/webhook', { url: shop + '/hook' })
  await post('/partner/pre-loan-request/bnpl', { ...order, idNumber: '11222333-9' })
  const { widgetToken } = await post('/partner/widget/start', { ...order, email: 'ana@example.com' })
  const to = { successReturnUrl: shop + '/return', errorReturnUrl: shop + '/return' }
  return env.BNPL_PAYMENT_URL + '/?' + new URLSearchParams({ widgetToken, publicKey: env.BNPL_PUBLIC_KEY, ...to })
}
const { existsSync } = require('node:fs')
const gone = () => fetch(shop).then(gone, () => {})
const pay = (address) => fetch(address).catch(() => {
  if (existsSync('failed')) return gone()
  return new Promise((resolve) => setTimeout(resolve, 20)).then(() => pay(address))
})
buy().then(pay)`
