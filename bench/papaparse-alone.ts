import { createReadStream } from 'node:fs'
import papa from 'papaparse'

/** Reads a file row by row with papaparse, and does nothing with the rows. Argument: the file. */
let rows = 0
papa.parse(createReadStream(process.argv[2] ?? '', { encoding: 'utf8' }), {
  step() {
    rows++
  },
  complete() {
    console.log(rows)
  },
})
