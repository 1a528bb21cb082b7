/** One request as plain data. A `Transport` sends it over the network, or passes it to the sandbox in this process. */
export interface WireRequest {
  method: string
  /** Absolute address, with its path already encoded. */
  url: string
  /** The headers, with names in lower case. */
  headers: Record<string, string>
  body?: Uint8Array
  /** The time limit of the whole call in ms: from connecting to the end of the answer. */
  timeoutMs: number
  maxBytes: number
  /** If true, the call gets its own new connection, because the server may be closing an idle one. */
  freshSocket?: boolean
  signal?: AbortSignal
}

export interface WireResponse {
  status: number
  /** The headers, with names in lower case. The values of a header that was sent twice are joined by `, `. */
  headers: Record<string, string>
  body: Uint8Array
}

/** Sends one request and returns one answer. Throws only `WireFailure`, when it gets no complete answer. */
export type Transport = (request: WireRequest) => Promise<WireResponse>

/** One GET without a key. The body of the answer is passed on as it arrives, so the file can have any size. */
export interface DownloadRequest {
  url: string
  headers: Record<string, string>
  /** The download fails if no byte arrives for this many ms. */
  idleMs: number
  timeoutMs: number
  signal?: AbortSignal
}

export interface DownloadHead {
  status: number
  headers: Record<string, string>
}

export interface BodySink {
  /** Receives a chunk. The bytes are valid only until `take` returns, so copy what you keep. If `take` throws, the download ends. */
  take(chunk: Uint8Array): void
}

/**
 * Sends one GET and passes the answer's body to the sink that `begin` returns. Redirects are not followed. A body that is not chunked and
 * has no declared length is complete when the connection ends. Throws `WireFailure` when no complete answer arrives. Also throws the errors
 * of `begin` and the sink.
 */
export type Download = (request: DownloadRequest, begin: (head: DownloadHead) => BodySink) => Promise<void>

export type WireFailureKind =
  | 'refused'
  | 'dns'
  | 'tls'
  | 'proxy'
  | 'reset'
  | 'timeout'
  | 'too-large'
  | 'garbled'
  | 'aborted'

export interface WireFailureFacts {
  status?: number
  /** Whether the answer came in thousands of pieces of a few bytes, and was therefore not read to its end. */
  shredded?: boolean
  /** The proxy that caused the failure, such as `proxy.example:3128`, and the status of its answer, if any. */
  proxy?: { name: string; status?: number }
  /** The file of certificate authorities that NODE_EXTRA_CA_CERTS names and that cannot be read. */
  missingAuthorities?: string
}

/** The error when no complete answer arrived. `sent` is true if any byte of the request was written. */
export class WireFailure extends Error {
  readonly kind: WireFailureKind
  readonly sent: boolean
  readonly facts: WireFailureFacts

  constructor(kind: WireFailureKind, sent: boolean, message: string, cause?: unknown, facts: WireFailureFacts = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'WireFailure'
    this.kind = kind
    this.sent = sent
    this.facts = facts
  }

  get status(): number | undefined {
    return this.facts.status
  }
}
