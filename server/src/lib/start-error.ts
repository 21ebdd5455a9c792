/** Its message tells the operator why the service does not start. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
