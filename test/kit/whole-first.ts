import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Sorts the test files: those in `test/` begin before those beside the sources. They start programs, databases and browsers and wait for
 * them, up to half a minute a file. If one of them began last, the other workers would have nothing to do until it ended.
 */
export class WholeFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLate = ({ moduleId }: TestSpecification) =>
      !/[\\/]test[\\/]/.test(moduleId.slice(this.ctx.config.root.length))
    // The files of one project stay together, because a worker that changes its project loads everything again.
    const rank = (file: TestSpecification) => (file.project.config.isolate ? 0 : isLate(file) ? 2 : 1)
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
