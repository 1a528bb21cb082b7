import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A pooler in transaction mode: each transaction of a client goes to whichever connection to the server is free. */
export interface FakePooler extends AsyncDisposable {
  port: number
  /**
   * With true, the first receiver gets a connection of its own from now on. With false, its transactions go to any free connection, like
   * all others.
   */
  favourReceiver(favoured: boolean): void
}

/** One connection to the server, already logged in. */
interface Backend {
  socket: Socket
  /** The messages with which the server began this connection. Every client gets them in turn. */
  greeting: Buffer
  /** Receives what the server sends, for the client that has this connection now. */
  listener: (message: Buffer) => void
}

/** Starts the pooler. @param to the server's port on 127.0.0.1 */
export async function startFakePooler(to: number, database: string): Promise<FakePooler> {
  const backends = await Promise.all(Array.from({ length: 4 }, () => logIn(to, database)))
  const free = [...backends]
  const queue: ((backend: Backend) => void)[] = []
  let isFavoured = false
  let clients = 0
  let receiver: number | undefined
  const take = (client: number): Promise<Backend> => {
    const reserved = backends[0] as Backend
    const choice = isFavoured
      ? free.find((each) => (each === reserved) === (client === receiver))
      : free[Math.floor(free.length / 2)]
    if (choice === undefined) return new Promise((resolve) => queue.push(resolve))
    free.splice(free.indexOf(choice), 1)
    return Promise.resolve(choice)
  }
  const give = (backend: Backend) => {
    const next = queue.shift()
    if (next) next(backend)
    else free.push(backend)
  }
  const server = createServer((client) => {
    const number = ++clients
    let attached: Promise<Backend> | undefined
    let isGreeted = false
    client.on('error', () => {})
    const read = messages(
      (message, hasType) => {
        if (!hasType) {
          isGreeted = true
          if (message.includes('bnpl receiver')) receiver ??= number
          client.write(backends[0]?.greeting ?? '')
          return
        }
        // Terminate ends only the client's connection. What the client had begun is rolled back.
        if (message[0] === 0x58) {
          client.end()
          void attached?.then((backend) => {
            backend.listener = (said) => {
              if (said[0] === READY) give(backend)
            }
            backend.socket.write(ROLLBACK)
          })
          return
        }
        attached ??= take(number)
        void attached.then((backend) => {
          backend.listener = (said) => {
            client.write(said)
            // The transaction has ended, so this connection is free for any client.
            if (said[0] !== READY || said[5] !== IDLE) return
            attached = undefined
            give(backend)
          }
          backend.socket.write(message)
        })
      },
      () => isGreeted,
    )
    client.on('data', read)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    favourReceiver(favoured) {
      isFavoured = favoured
    },
    async [Symbol.asyncDispose]() {
      for (const { socket } of backends) socket.destroy()
      server.close()
    },
  }
}

async function logIn(port: number, database: string): Promise<Backend> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const ready = Promise.withResolvers<void>()
  const said: Buffer[] = []
  const backend: Backend = {
    socket,
    greeting: Buffer.alloc(0),
    listener(message) {
      said.push(message)
      if (message[0] === READY) ready.resolve()
    },
  }
  socket.on(
    'data',
    messages(
      (message) => backend.listener(message),
      () => true,
    ),
  )
  const words = Buffer.from(`user\0postgres\0database\0${database}\0\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(head.length + words.length, 0)
  head.writeInt32BE(196_608, 4)
  socket.write(Buffer.concat([head, words]))
  await ready.promise
  backend.greeting = Buffer.concat(said)
  return backend
}

/** The type of `ReadyForQuery`, and the state in it that means “outside of a transaction”. */
const [READY, IDLE] = Buffer.from('ZI')
const ROLLBACK = Buffer.from('Q\0\0\0\x0dROLLBACK\0')

/** Splits a stream of PostgreSQL's protocol into messages. @param hasType returns false for a client's first message, which has no type */
function messages(take: (message: Buffer, hasType: boolean) => void, hasType: () => boolean) {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const typed = hasType()
      const start = typed ? 1 : 0
      if (rest.length < start + 4) return
      const end = start + rest.readInt32BE(start)
      if (rest.length < end) return
      const message = rest.subarray(0, end)
      rest = rest.subarray(end)
      take(message, typed)
    }
  }
}
