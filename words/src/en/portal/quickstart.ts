// The quickstart page: each step with code in the reader's language.
export const quickstart = {
  title: 'Quickstart',
  intro:
    'From nothing to a tested integration, in your programming language and with your project’s values filled in. Your choice of language is remembered.',
  code: 'Code',
  steps: {
    values: {
      title: '1. Your values',
      text: 'Put them into the environment of your program. The test secret is under Keys; it never leaves your server.',
    },
    payment: {
      title: '2. Create a pay link',
      text: 'Your server signs the link, so that nobody can change its amount. Send the payer there.',
    },
    callback: {
      title: '3. Verify the callback',
      text: 'After each payment your server gets a signed request. Verify its raw body, compare the amount with your order, respond with 200.',
    },
    signature: {
      title: '4. Pass the exam',
      text: 'Valid and forged callbacks are sent to your server, also on your own machine, and you see which responses are wrong.',
    },
    status: {
      title: '5. Check an order',
      text: 'If a callback does not arrive, ask whether the order was paid.',
    },
    live: {
      title: '6. Go live',
      text: 'Enter your own URLs, then put the live secret in place of the test secret.',
    },
  },
}
