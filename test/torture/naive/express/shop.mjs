// A shop that sells in installments, as a hurried tutorial for Express writes it: node shop.mjs [orders|settle]
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import express from './express.mjs'

const { BNPL_BASE_URL, BNPL_PAYMENT_URL, BNPL_API_KEY, BNPL_PUBLIC_KEY, BNPL_ENTITY_ID } = process.env
const PRICE = 250000

const FILE = process.env.SHOP_DATA ?? 'orders.json'
const orders = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {}
const save = () => writeFileSync(FILE, JSON.stringify(orders))

async function callBnpl(path, fields) {
  const response = await fetch(BNPL_BASE_URL + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${BNPL_API_KEY}` },
    body: new URLSearchParams(fields),
  })
  const { data } = await response.json()
  return data
}

function ship(order) {
  order.shipped += 1
}

const app = express()
app.use(express.json())
app.use(express.urlencoded())

app.get('/', (_, res) => {
  res.send('<form method="post" action="/checkout"><input name="rut"><input name="email"><button>Buy</button></form>')
})

app.post('/checkout', async (req, res) => {
  console.log('checkout', req.body)
  const { rut, email } = req.body
  const id = `order-${Date.now()}`
  const payment = { externalTrxId: id, amount: PRICE, entityId: BNPL_ENTITY_ID }
  await callBnpl('/partner/pre-loan-request/bnpl', { ...payment, idNumber: rut })
  const { widgetToken } = await callBnpl('/partner/widget/start', { ...payment, email })
  orders[id] = { amount: PRICE, status: 'pending', shipped: 0 }
  save()
  const shop = `http://${req.get('host')}`
  const query = new URLSearchParams({
    widgetToken,
    publicKey: BNPL_PUBLIC_KEY,
    successReturnUrl: `${shop}/success`,
    errorReturnUrl: `${shop}/error`,
  })
  res.redirect(`${BNPL_PAYMENT_URL}/?${query}`)
})

app.get('/success', (req, res) => {
  const order = orders[req.query.externalTrxId]
  order.status = 'paid'
  ship(order)
  save()
  res.send('Thank you for your order!')
})

app.get('/error', (req, res) => {
  orders[req.query.externalTrxId].status = 'cancelled'
  save()
  res.send('The payment failed.')
})

app.post('/webhooks', (req, res) => {
  const order = orders[req.body.data.externalTrxId]
  order.status = 'paid'
  ship(order)
  save()
  res.sendStatus(200)
})

async function settle() {
  for (const [id, order] of Object.entries(orders)) {
    if (order.status !== 'pending') continue
    const loan = await callBnpl(`/partner/pre-approve/${id}/loan`, {})
    order.status = loan ? 'paid' : 'cancelled'
    if (loan) ship(order)
  }
  save()
}

function printOrders() {
  for (const [id, { status, shipped }] of Object.entries(orders))
    console.log(JSON.stringify({ externalTrxId: id, paid: status === 'paid', fulfilled: shipped }))
}

if (process.argv[2] === 'orders') printOrders()
else if (process.argv[2] === 'settle') await settle()
else {
  const server = app.listen(process.env.PORT ?? 0, () => console.log(`http://localhost:${server.address().port}`))
}
