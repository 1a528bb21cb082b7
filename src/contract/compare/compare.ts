import { CALLS } from '../calls/calls.ts'
import { hasCall, type ServiceDescription, SPECIFICATION } from '../description.ts'
import { ENDPOINT_NAMES, endpointOf, matchEndpoint, type OwnPaths, ofService } from '../endpoints.ts'
import { compareAnswer } from './answer.ts'
import { type ComparedExchange, mediaType, type PlainExchange, timesIn, whyUnread } from './exchange.ts'
import { compareRequest } from './request.ts'
import { collector } from './words.ts'

const ENDINGS: Readonly<Record<string, string>> = {
  refused: 'a refused connection',
  dns: 'an unknown host name',
  tls: 'a failed TLS connection',
  proxy: 'a failure of the proxy',
  reset: 'a connection that was cut off',
  timeout: 'no answer in time',
  'too-large': 'an answer that is too large',
  garbled: 'bytes that are not HTTP',
}

interface CompareOptions {
  paths?: OwnPaths
  /** What the service answers to the open questions. The default is the specification. */
  description?: ServiceDescription
  isHidden?(text: string): boolean
}

/** Returns how the request and the answer of an exchange differ from the contract. The result never contains a value that was sent. */
export function compareExchange(
  exchange: PlainExchange,
  { paths = {}, description = SPECIFICATION, isHidden = never }: CompareOptions = {},
): ComparedExchange {
  const { request, response, ended } = exchange
  const { problems, add } = collector()
  const news = new Set<string>()
  const path = request.path.split('?')[0] ?? ''
  const called = matchEndpoint(request.method, path, paths)
  const isOfService = called !== undefined && hasCall(endpointOf(called.name), description)
  const found = isOfService ? called : openedLink(exchange)
  if (found) {
    const endpoint = ofService(endpointOf(found.name), description)
    compareRequest(endpoint, found.params, request, { add, isHidden })
    if (response) compareAnswer(endpoint, response, { add, isHidden, tell: (place) => news.add(place) }, description)
  } else if (!isDownload(exchange)) tellUnknown(request.method, path, { paths, description }, add)
  for (const [where, message] of [
    ['request body', request],
    ['answer body', response],
  ] as const)
    if (whyUnread(message?.body) === 'undecodable')
      add(where, 'a body in gzip, deflate, br or zstd, as its Content-Encoding says', 'a body that cannot be decoded')
  const ending = response === undefined && ended !== undefined ? ENDINGS[ended] : undefined
  if (ending !== undefined) add('answer', 'a complete answer', ending)
  return { endpoint: found?.name ?? null, problems, news: [...news] }
}

const never = () => false

const followsLink = ({ request }: PlainExchange) =>
  request.method === 'GET' && timesIn(request.headers, 'authorization') === 0

/**
 * Returns `openInforme` if an exchange opened the link of a report: a GET without a key, answered with a redirect. The specification shows
 * no path by which to recognise it (gap 13).
 */
function openedLink(exchange: PlainExchange) {
  const isLink = followsLink(exchange) && exchange.response?.status === CALLS.openInforme.success.status
  return isLink ? { name: 'openInforme' as const, params: {} } : undefined
}

/**
 * Whether an exchange is the download of a report: a GET without a key, answered with a PDF. The specification shows no address by which to
 * recognise it (gap 42).
 */
function isDownload(exchange: PlainExchange): boolean {
  return followsLink(exchange) && exchange.response !== undefined && mediaType(exchange.response.headers) === PDF_TYPE
}

const PDF_TYPE = 'application/pdf'

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const
const OTHER_METHODS = ['HEAD', 'PUT', 'OPTIONS']

function tellUnknown(
  method: string,
  path: string,
  { paths, description }: { paths: OwnPaths; description: ServiceDescription },
  add: ReturnType<typeof collector>['add'],
) {
  const fitting = METHODS.filter((each) => {
    const called = matchEndpoint(each, path, paths)
    return called !== undefined && hasCall(endpointOf(called.name), description)
  })
  if (fitting.length > 0) {
    const shown = [...METHODS, ...OTHER_METHODS].find((each) => each === method) ?? 'another method'
    return add('request method', fitting.join(' or '), shown)
  }
  add('request path', 'a path of the contract, or a path from a setting such as paths.leads', shownSegments(path))
}

const WORDS = new Set(
  ENDPOINT_NAMES.flatMap((name) => endpointOf(name).path.split('/')).filter((part) => !part.startsWith('{')),
)

/** Returns a path in which every part that is not a word of the contract is hidden, because such a part may be personal data. */
function shownSegments(path: string): string {
  const parts = path.split('/')
  const shown = parts.slice(0, 8).map((part) => (WORDS.has(part) ? part : '…'))
  return `${shown.join('/')}${parts.length > 8 ? '/…' : ''}`.slice(0, 120)
}
