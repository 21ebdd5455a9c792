/** Said after a refusal that names a time to come back. */
export const waits = {
  retryIn: (wait: string) => `Try again in ${wait}.`,
  over: 'You can try again now.',
}
