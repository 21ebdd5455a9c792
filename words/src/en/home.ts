// The small start page, for a visitor who is not signed in.
export const home = {
  heading: 'Take payments with one link',
  text: 'Create a project, send the customer a pay link and get a signed callback once the payment is done.',
  signIn: 'Sign in',
  createAccount: 'Create account',
  projects: 'Projects',
  documentation: 'Documentation',
  apiDescription: 'API description',
  support: 'Support',
  signOut: 'Sign out',
}

/** Said after a refusal that names a time to come back. */
export const waits = {
  retryIn: (wait: string) => `Try again in ${wait}.`,
}
