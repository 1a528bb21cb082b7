import type * as z from 'zod/mini'
import type { Call } from './calls/call.ts'

/** What a call carries, as schemas. */
export interface Schemas<Body extends z.ZodMiniType | undefined, Data extends z.ZodMiniType> {
  /** Strict schema of the body, in the form's text on the wire and typed in the program; undefined where no body is sent. */
  request: Body
  /** Loose schema of `data`: what is documented is checked, everything else is kept as sent. */
  data: Data
}

/** One endpoint of the service, as data. Client, sandbox, OpenAPI, retry rule, error explanations and smoke checks are read from it. */
export interface Endpoint<
  Params extends string = string,
  Body extends z.ZodMiniType | undefined = z.ZodMiniType | undefined,
  Data extends z.ZodMiniType = z.ZodMiniType,
> extends Call<Params>,
    Schemas<Body, Data> {}

/** Puts a call and its schemas together, keeping their literal types. */
export function endpoint<
  const Params extends string,
  Body extends z.ZodMiniType | undefined,
  Data extends z.ZodMiniType,
>(call: Call<Params>, schemas: Schemas<Body, Data>): Endpoint<Params, Body, Data> {
  return { ...call, ...schemas }
}
