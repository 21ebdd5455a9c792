/** Shown after a refusal with a Retry-After. */
export const waits = {
  retryIn: (wait: string) => `Try again in ${wait}.`,
  over: 'You can try again now.',
}
