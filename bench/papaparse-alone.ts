import { createReadStream } from 'node:fs'
import papa from 'papaparse'

/** papaparse reading a file row by row and doing nothing with it. Argument: the file. */
let rows = 0
papa.parse(createReadStream(process.argv[2] ?? '', { encoding: 'utf8' }), {
  step() {
    rows++
  },
  complete() {
    console.log(rows)
  },
})
