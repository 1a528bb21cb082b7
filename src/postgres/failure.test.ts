import { expect, test } from 'vitest'
import { databaseFailure, isOutage } from './failure.ts'

test.each([
  ['ERR_STREAM_WRITE_AFTER_END', 'write after end'],
  ['ERR_STREAM_DESTROYED', 'Cannot call write after a stream was destroyed'],
  ['ERR_SOCKET_CLOSED', 'Socket is closed'],
])(
  '%s on a connection that just ended means that the database is unreachable, not a fault in bnpl [database 6]',
  (code, text) => {
    const failure = databaseFailure('db', Object.assign(new Error(text), { code }))
    expect([isOutage(failure), failure]).toEqual([true, expect.objectContaining({ code: 'DATABASE_LOST' })])
  },
)
