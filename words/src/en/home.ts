// The home page, for visitors without an account.

export const home = {
  title: (name: string) => `${name} – payments with a link`,
  description:
    'A hosted checkout: you send a link, the payer pays on a simple page, and your server gets a signed result.',
  skip: 'Skip to the text',
  menu: 'Main menu',
  docs: 'Documentation',
  /** In the header on a phone. */
  docsShort: 'Docs',
  signIn: 'Sign in',
  signUp: 'Create account',

  heading: 'Accept payments with one link',
  lead: (name: string) =>
    `${name} hosts the checkout page. You send a link, the payer pays, and your server gets a signed result that it can verify.`,
  try: 'Make a test payment',
  tryNote: 'Two clicks. No account, no card, no real money.',
  trySample: 'Test payment',
  signUpNote: 'Test mode works at once, without real money.',
  closedNote: 'Accounts are created by the operator of this service.',
  quickstart: 'Quickstart',

  picture: {
    shop: 'Your Shop',
    order: 'Order 7',
    received: 'Result received',
    log: 'Callback log',
    delivered: 'Delivered',
    retried: 'Sent again',
    justNow: 'just now',
    minutes: (count: number) => `${count} min ago`,
    attempt: (number: number) => `attempt ${number}`,
  },

  trip: {
    heading: 'How a payment works',
    text: 'Four steps, from the link to the result on your server.',
    who: { shop: 'Merchant', payer: 'Payer', service: 'Service', bank: 'Bank' },
    arrows: {
      link: 'pay link',
      pays: 'pays',
      charge: 'charge',
      decision: 'yes or no',
      result: 'signed result',
      back: 'returns',
    },
    steps: {
      link: {
        title: 'You send a link',
        text: 'It holds the amount, the order and your signature. Create it in your code, in the portal or as a QR code.',
      },
      pays: {
        title: 'The payer confirms',
        text: 'On one small page, in Montenegrin or English, that also works without JavaScript. The amount is on the button.',
      },
      charge: {
        title: 'The bank decides',
        text: 'For an order that has an ID (customId) we never start a second charge, even if “Pay” is pressed twice or the connection breaks.',
      },
      result: {
        title: 'Your server gets the result',
        text: 'As a signed callback. Then the payer returns to your site. If your server does not accept the callback, we keep sending it for about three days.',
      },
    },
  },

  gets: {
    heading: 'What you get',
    text: 'Everything between “Pay” and “paid”, and a clear view when something goes wrong.',
    callbacks: {
      title: 'Signed callbacks',
      text: 'HMAC-SHA256, as in the Standard Webhooks specification. Verified in a few lines of code.',
    },
    log: {
      title: 'Callback log',
      text: 'Every attempt with its request, response, duration and the cause of a failure. Resend with one click.',
    },
    status: {
      title: 'Status check',
      text: 'Ask at any time whether an order is paid. The answer is clear: paid, or not (yet).',
    },
    qr: {
      title: 'QR codes',
      text: 'Any pay link as PNG or SVG, for an invoice, a till or a poster.',
    },
    refunds: {
      title: 'Refunds',
      text: 'All or part of a payment, in the portal or with the API. Never more than was paid.',
    },
    test: {
      title: 'Test mode and exam',
      text: 'Try every result, then let the exam check your server before you go live.',
    },
  },

  code: {
    heading: 'Be sure that you were paid',
    text: 'The signature proves who sent the result. The price in your own records decides whether enough was paid. With the SDK, one call checks both.',
    other: 'Code for eight programming languages',
    label: 'Verify a callback in TypeScript',
  },

  end: {
    heading: 'See it work',
    text: 'The quickstart leads you from an empty folder to a verified callback in ten minutes.',
  },

  footer: {
    links: 'More',
    reference: 'API reference',
    changelog: 'Changelog',
  },
}
