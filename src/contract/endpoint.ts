import type { Call, Schemas } from './calls/call.ts'

/** One endpoint of the service: a call with its schemas, for code that sends or answers it. */
export interface Endpoint extends Omit<Call, 'schemas'>, Schemas {}
