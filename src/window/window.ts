import type { WireRequest, WireResponse } from '../contract/wire.ts'
import { SEAL, WINDOW_PATH, WINDOW_PREFIX } from '../sandbox/addresses.ts'
import { readLanguage } from '../sandbox/languages/languages.ts'
import { readJsonFields } from '../sandbox/service/body.ts'
import { runControl } from '../sandbox/service/control.ts'
import { WINDOW_KEY_HEADER } from '../sandbox/service/entrance.ts'
import { Refusal } from '../sandbox/service/refusal.ts'
import type { Service } from '../sandbox/service/service.ts'
import { iso } from '../sandbox/store/stamps.ts'
import { tableWrites } from './event-stream.ts'
import { windowFiles } from './files.ts'
import { dataResponse, pictureResponse, streamResponse, windowFileResponse, windowPageResponse } from './responses.ts'
import { windowShell } from './shell.ts'
import { isViewName, VIEWS } from './views/views.ts'

/**
 * Returns a function that answers the requests for the sandbox's window, which is a page at `/`. Anybody may load the page and its files.
 * A request for data must contain a key. A browser gets the key in exchange for the ticket in a link. `server/gate.ts` refuses requests of
 * other sites.
 */
export function createWindow(service: Service): (request: WireRequest) => Promise<WireResponse> {
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === WINDOW_PATH) {
      only('GET', request)
      const language = readLanguage(searchParams.get('lang') ?? '', request.headers['accept-language'] ?? '')
      return windowPageResponse(200, windowShell(language))
    }
    const [kind = '', name = '', file = ''] = pathname.slice(WINDOW_PREFIX.length + 1).split('/')
    if (kind === 'files') {
      only('GET', request)
      const { files, version } = windowFiles()
      const found = name === version ? files.get(file) : undefined
      if (found === undefined) throw notFound()
      return windowFileResponse(found)
    }
    if (kind === 'report') return reportPage(request, service, name, file)
    // `server/gate.ts` also accepts an address that a person has typed. From here on, only requests of the window's own page are accepted.
    const site = request.headers['sec-fetch-site']
    if (site !== undefined && site !== 'same-origin') {
      throw new Refusal(403, 'ERR_FOREIGN_ORIGIN', 'only the page of the sandbox’s window may use this address')
    }
    if (kind === 'enter') return dataResponse(enter(request, service))
    const key = request.headers[WINDOW_KEY_HEADER] ?? ''
    if (!service.entrance.isInside(key)) throw closed()
    if (kind === 'changes') {
      only('GET', request)
      return streamResponse((signal) => tableWrites(service.store, signal))
    }
    const input = readInput(request)
    if (kind === 'leave') {
      service.entrance.leave(key)
      return dataResponse({})
    }
    if (kind === 'do') return dataResponse(await runControl(name, input, service, request))
    if (kind !== 'show' || !isViewName(name)) throw notFound()
    const data = await VIEWS[name](input, service)
    // Read the clock after the data, so that no time in the data is later than the clock.
    const { now, aheadMs } = service.clock.reading()
    return dataResponse(data, { clock: { now: iso(now), aheadMs } })
  }
}

function enter(request: WireRequest, { entrance }: Service): { key: string } {
  const { ticket } = readInput(request)
  const key = typeof ticket === 'string' ? entrance.enter(ticket) : undefined
  if (key === undefined) throw closed()
  return { key }
}

/** Returns a page of a report as a picture. A browser loads the picture without the key, so its address contains a signature. */
async function reportPage(request: WireRequest, { entrance, reports }: Service, name: string, file: string) {
  only('GET', request)
  const url = new URL(request.url)
  const seal = url.searchParams.get(SEAL) ?? ''
  url.searchParams.delete(SEAL)
  if (!entrance.isSealed(url.pathname + url.search, seal)) throw closed()
  const id = decoded(name)
  const pages = id === undefined ? undefined : await reports.pictures(id)
  const page = pages?.[Number(file) - 1]
  if (page === undefined) throw notFound()
  return pictureResponse(page)
}

function readInput(request: WireRequest): Record<string, unknown> {
  only('POST', request)
  if (!request.headers['content-type']?.startsWith('application/json')) {
    throw new Refusal(415, 'ERR_UNSUPPORTED_MEDIA_TYPE', 'send application/json')
  }
  return readJsonFields(request.body)
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function only(method: string, request: WireRequest): void {
  if (request.method === method) return
  throw new Refusal(405, 'ERR_METHOD_NOT_ALLOWED', `this address only accepts ${method}`, { allow: method })
}

const notFound = () => new Refusal(404, 'ERR_NOT_FOUND', 'no such address')

const closed = () =>
  new Refusal(401, 'ERR_WINDOW_CLOSED', 'this browser may not use the sandbox’s window. Run bnpl sandbox open')
