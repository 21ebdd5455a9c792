/** Why the service does not start, as one sentence that a person can act on. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
