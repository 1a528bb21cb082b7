/**
 * The one seam of the program: a request and a response as plain data, bytes for bodies.
 * undici against the real service, the sandbox in this process, and a scripted fault in a test are all a `Transport`.
 */
export interface WireRequest {
  method: string
  /** Absolute address, path already encoded. */
  url: string
  /** Names in lower case. */
  headers: Record<string, string>
  body?: Uint8Array
  /** Milliseconds for everything: connecting, sending, and the whole body of the answer. */
  timeoutMs: number
  /** The largest answer that is read, in bytes. */
  maxBytes: number
  /** A call that may not be repeated never uses an idle connection that the server may be closing. */
  freshSocket?: boolean
  signal?: AbortSignal
}

export interface WireResponse {
  status: number
  /** Names in lower case; a header that came twice is joined by `, `. */
  headers: Record<string, string>
  body: Uint8Array
}

/** Sends one request and gives back one answer. Throws `WireFault`, and nothing else, when there is no whole answer. */
export type Transport = (request: WireRequest) => Promise<WireResponse>

/** One GET whose body is handed on as it comes: a file of any size, without a key. */
export interface DownloadRequest {
  /** Absolute address, path already encoded. */
  url: string
  /** Names in lower case. */
  headers: Record<string, string>
  /** Milliseconds without a sign of life (connecting, waiting for the answer, between two pieces of it) before it counts as dead. */
  idleMs: number
  /** Milliseconds for everything. */
  timeoutMs: number
  signal?: AbortSignal
}

export interface DownloadHead {
  status: number
  /** Names in lower case; a header that came twice is joined by `, `. */
  headers: Record<string, string>
}

/** Takes a body as it comes. */
export interface BodySink {
  /** The bytes are the sink's until it returns: what it keeps of them it copies. What it throws ends the download. */
  take(chunk: Uint8Array): void
}

/**
 * Sends one GET and hands its body to the sink that `begin` gives for the answer's head; follows no redirect.
 * Resolves when the body is whole as far as its framing tells (an answer framed by the end of the connection always is).
 * Throws `WireFault` when it is cut, and whatever `begin` or the sink threw, with the connection closed.
 */
export type Download = (request: DownloadRequest, begin: (head: DownloadHead) => BodySink) => Promise<void>

/** Why there is no whole answer. */
export type FaultKind = 'refused' | 'dns' | 'tls' | 'proxy' | 'reset' | 'timeout' | 'too-large' | 'garbled' | 'aborted'

/** What else is known of a fault. */
export interface FaultFacts {
  /** Of an answer that was too large: what it began with says enough for some. */
  status?: number
  /** A connection that had been used before was closed before any byte of an answer: nothing speaks against trying again at once. */
  stale?: boolean
  /** It happened on the way to this proxy, or by its word: `proxy.example:3128`, and the status it answered with. */
  proxy?: { name: string; status?: number }
  /** The file of certificate authorities that NODE_EXTRA_CA_CERTS names and that cannot be read. */
  missingAuthorities?: string
}

/** No whole answer came. `sent` is a fact, not a guess: true once any byte of the request was written. */
export class WireFault extends Error {
  readonly kind: FaultKind
  readonly sent: boolean
  readonly facts: FaultFacts

  constructor(kind: FaultKind, sent: boolean, message: string, cause?: unknown, facts: FaultFacts = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'WireFault'
    this.kind = kind
    this.sent = sent
    this.facts = facts
  }

  get status(): number | undefined {
    return this.facts.status
  }
}
