import type { WireRequest, WireResponse } from '../../contract/wire.ts'
import { iso } from '../clock.ts'
import { runControl } from '../control.ts'
import { readJsonInput } from '../json-input.ts'
import { readLanguage } from '../page/visit.ts'
import { Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { WINDOW_PATH, WINDOW_PREFIX } from './addresses.ts'
import { dataAnswer, enteredAnswer, fileAnswer, pageAnswer, pictureAnswer, streamAnswer } from './answers.ts'
import { changesOf } from './changes.ts'
import { windowFiles } from './files.ts'
import { closedDoor, windowShell } from './shell.ts'
import { VIEWS } from './views/views.ts'

/**
 * The sandbox's window: a page at `/` and what it asks. The server's door keeps other sites and names out; in here only a
 * browser that came with a ticket sees or does anything.
 */
export function createWindow(service: Service): (request: WireRequest) => Promise<WireResponse> {
  const cookieName = `bnpl-window-${new URL(service.baseUrl).port || '80'}`
  const isInside = (request: WireRequest) => service.entrance.isInside(cookie(request, cookieName))

  return async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === WINDOW_PATH) {
      only('GET', request)
      const language = readLanguage(searchParams.get('lang') ?? '', request.headers['accept-language'] ?? '')
      const ticket = searchParams.get('ticket')
      const session = ticket === null ? undefined : service.entrance.enter(ticket)
      if (session !== undefined) {
        return enteredAnswer(`${cookieName}=${session}; Path=/; HttpOnly; SameSite=Strict`, WINDOW_PATH)
      }
      if (isInside(request)) return ticket === null ? pageAnswer(200, windowShell(language)) : enteredAnswerAgain()
      return pageAnswer(401, closedDoor(language, ticket !== null))
    }
    const [kind = '', name = '', file = ''] = pathname.slice(WINDOW_PREFIX.length + 1).split('/')
    if (kind === 'files') {
      only('GET', request)
      const { files, version } = windowFiles()
      const found = name === version ? files.get(file) : undefined
      if (found === undefined) throw notFound()
      return fileAnswer(found)
    }
    if (!isInside(request)) {
      throw new Refusal(401, 'ERR_WINDOW_CLOSED', 'this browser has not been let in: bnpl sandbox open')
    }
    if (kind === 'changes') {
      only('GET', request)
      return streamAnswer((signal) => changesOf(service.store, signal))
    }
    if (kind === 'report') {
      only('GET', request)
      const id = decoded(name)
      const pages = id === undefined ? undefined : await service.reports.pictures(id)
      const page = pages?.[Number(file) - 1]
      if (page === undefined) throw notFound()
      return pictureAnswer(page)
    }
    only('POST', request)
    if (!request.headers['content-type']?.startsWith('application/json')) {
      throw new Refusal(415, 'ERR_UNSUPPORTED_MEDIA_TYPE', 'the window is asked in JSON')
    }
    const input = readJsonInput(request.body)
    if (kind === 'do') return dataAnswer(await runControl(name, input, service, request))
    if (kind !== 'show' || !Object.hasOwn(VIEWS, name)) throw notFound()
    const data = await VIEWS[name as keyof typeof VIEWS](input, service, request)
    // Read after the data: no time in it is ahead of the clock it is shown by.
    const { now, aheadMs } = await service.clock.reading()
    return dataAnswer(data, { clock: { now: iso(now), aheadMs } })
  }
}

/** Inside already: the used link only leads to the page. */
function enteredAnswerAgain(): WireResponse {
  return { status: 303, headers: { location: WINDOW_PATH, 'cache-control': 'no-store' }, body: new Uint8Array() }
}

function cookie(request: WireRequest, name: string): string {
  const pairs = (request.headers.cookie ?? '').split(/[;,]\s*/)
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
}

/** @returns undefined for what is no encoded text */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function only(method: string, request: WireRequest): void {
  if (request.method === method) return
  throw new Refusal(405, 'ERR_METHOD_NOT_ALLOWED', `only ${method} is possible here`, { allow: method })
}

const notFound = () => new Refusal(404, 'ERR_NOT_FOUND', 'no such address')
