/** Stands in for the package `express`: the part of it that the shop beside this file uses. */
import { createServer } from 'node:http'

// biome-ignore lint/style/noDefaultExport: the package has one
export default function express() {
  const parsers = []
  const routes = []
  const on = (method) => (path, handler) => routes.push({ method, path, handler })
  const server = createServer(async (req, res) => {
    const url = new URL(req.url, `http://${req.headers.host}`)
    req.path = url.pathname
    req.query = Object.fromEntries(url.searchParams)
    req.get = (name) => req.headers[name.toLowerCase()]
    res.status = (code) => {
      res.statusCode = code
      return res
    }
    res.send = (text) => res.end(text)
    res.sendStatus = (code) => res.status(code).end()
    res.redirect = (location) => res.writeHead(302, { location }).end()
    try {
      const body = Buffer.concat(await Array.fromAsync(req))
      for (const parse of parsers) parse(req, res, body)
      const route = routes.find(({ method, path }) => method === req.method && path === url.pathname)
      if (route) await route.handler(req, res)
      else res.sendStatus(404)
    } catch (error) {
      console.error(error)
      if (!res.headersSent) res.sendStatus(500)
    }
  })
  return {
    use: (parser) => parsers.push(parser),
    get: on('GET'),
    post: on('POST'),
    listen: (port, then) => server.listen(port, then),
  }
}

const parser =
  (type, read) =>
  ({ verify } = {}) =>
  (req, res, body) => {
    if (!(req.get('content-type') ?? '').includes(type)) return
    verify?.(req, res, body)
    req.body = read(body.toString())
  }

express.json = parser('json', JSON.parse)
express.urlencoded = parser('urlencoded', (text) => Object.fromEntries(new URLSearchParams(text)))
