import type { Spool } from '../../client/fetch-pdf.ts'
import type { Context } from '../../context.ts'
import { BodyBytes } from '../../domain/body-bytes.ts'
import { BnplError } from '../../errors.ts'
import { formatBytes } from '../../terminal/numbers.ts'
import { fetchReport } from './fetch-report.ts'
import { compare, wantedOf } from './save-report.ts'

/** Writes a report to stdout, but only after it is complete and checked, because bytes in a pipe cannot be taken back. */
export async function pipeReport(
  context: Context,
  preApproveId: string | undefined,
  urlInforme: string | undefined,
): Promise<void> {
  const asked = { preApproveId, urlInforme }
  const spool = new MemorySpool()
  const fetched = await fetchReport(context, wantedOf(asked), spool)
  await context.io.out(spool.bytes())
  await compare(context, asked, fetched)
  context.output.note(`${formatBytes(fetched.bytes)}, SHA-256 ${fetched.sha256}`)
}

const MAX_HELD_BYTES = 64 * 1024 * 1024

class MemorySpool implements Spool {
  #body = new BodyBytes()

  async restart(): Promise<void> {
    this.#body = new BodyBytes()
  }

  take(chunk: Uint8Array): void {
    this.#body.add(Buffer.from(chunk))
    if (this.#body.size > MAX_HELD_BYTES)
      throw new BnplError(
        'service',
        `the report is larger than ${MAX_HELD_BYTES / 1024 ** 2} MiB, which is too large for a pipe`,
        {
          code: 'TOO_LARGE_FOR_PIPE',
          hint: 'Save the report to a file: --out FILE. Nothing was written.',
        },
      )
  }

  bytes(): Uint8Array {
    return this.#body.bytes()
  }
}
