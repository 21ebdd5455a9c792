/** The reason why the service does not start, as one sentence that says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
