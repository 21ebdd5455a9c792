export async function runAll(jobs: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const job of jobs) {
    try {
      await job()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} jobs failed`)
}
