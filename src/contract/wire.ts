/**
 * The program's interface to the network: a request and a response as plain data, with bytes as bodies. A `Transport` can be undici with
 * the real service, the sandbox in this process, or a scripted fault in a test.
 */
export interface WireRequest {
  method: string
  /** Absolute address, with its path already encoded. */
  url: string
  /** The headers, with names in lower case. */
  headers: Record<string, string>
  body?: Uint8Array
  /** The time limit for connecting, sending, and the whole body of the answer, in ms. */
  timeoutMs: number
  /** The largest answer that is read, in bytes. */
  maxBytes: number
  /** True for a call that may not be repeated. It must not use an idle connection, because the server may be closing that connection. */
  freshSocket?: boolean
  signal?: AbortSignal
}

export interface WireResponse {
  status: number
  /** The headers, with names in lower case. The values of a header that was sent twice are joined by `, `. */
  headers: Record<string, string>
  body: Uint8Array
}

/** Sends one request and returns one answer. Throws only `WireFault`, when it gets no complete answer. */
export type Transport = (request: WireRequest) => Promise<WireResponse>

/** One GET without a key. Its body is passed on as it arrives, so the file can have any size. */
export interface DownloadRequest {
  /** Absolute address, with its path already encoded. */
  url: string
  /** The headers, with names in lower case. */
  headers: Record<string, string>
  /**
   * Milliseconds of silence (while connecting, waiting for the answer, or between two pieces) after which the connection counts as dead.
   */
  idleMs: number
  /** The time limit of the whole GET, in ms. */
  timeoutMs: number
  signal?: AbortSignal
}

export interface DownloadHead {
  status: number
  /** The headers, with names in lower case. The values of a header that was sent twice are joined by `, `. */
  headers: Record<string, string>
}

/** Receives a body as it arrives. */
export interface BodySink {
  /** Receives a chunk. The bytes are valid only until this returns, so copy what you keep. If this throws, the download ends. */
  take(chunk: Uint8Array): void
}

/**
 * Sends one GET and passes its body to the sink that `begin` returns for the answer's head. Redirects are not followed. Resolves when the
 * body is complete. (If only the end of the connection marks the end of the body, the body always counts as complete.) Throws `WireFault`
 * when the answer is cut off, and the errors of `begin` and the sink. In all these cases the connection is closed.
 */
export type Download = (request: DownloadRequest, begin: (head: DownloadHead) => BodySink) => Promise<void>

/** Why no complete answer arrived. */
export type FaultKind = 'refused' | 'dns' | 'tls' | 'proxy' | 'reset' | 'timeout' | 'too-large' | 'garbled' | 'aborted'

/** Further facts about a fault. */
export interface FaultFacts {
  /** The status of an answer that was too large. For some callers the status is enough. */
  status?: number
  /** Whether a reused connection was closed before any byte of an answer arrived. If so, another attempt can follow at once. */
  stale?: boolean
  /** The proxy that caused the fault, such as `proxy.example:3128`, and the status of its answer, if any. */
  proxy?: { name: string; status?: number }
  /** The file of certificate authorities that NODE_EXTRA_CA_CERTS names and that cannot be read. */
  missingAuthorities?: string
}

/** The error when no complete answer arrived. `sent` is true if any byte of the request was written. */
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
