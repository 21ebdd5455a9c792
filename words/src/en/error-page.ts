// The pages that a browser gets instead of a problem document.
export const errorPage = {
  invalid_request: {
    heading: 'This address is not valid',
    text: 'Part of it may be missing. Open the link again where you found it.',
  },
  not_found: {
    heading: 'This page does not exist',
    text: 'The address may be misspelled, or the page has moved.',
  },
  method_not_allowed: {
    heading: 'This page cannot be opened this way',
    text: 'Go back and use the button or the link on the previous page.',
  },
  locked_out: {
    heading: 'Too many attempts',
    text: 'For security, sign-in is blocked for a while. Wait, then try again.',
  },
  rate_limited: {
    heading: 'Too many requests',
    text: 'Wait a moment, then try again.',
  },
  internal_error: {
    heading: 'Something went wrong on our side',
    text: 'Try again. If it happens again, contact the operator of this service and give them the request reference.',
  },
  unavailable: {
    heading: 'The service is not available right now',
    text: 'Try again in a moment.',
  },
  home: 'Go to the home page',
  tryAgain: 'Try again',
  support: 'Contact the operator',
  reference: 'Request reference:',
  ways: {
    docs: { title: 'Documentation', text: 'The guide, the API reference and search.' },
    projects: { title: 'Your projects', text: 'Payments, callbacks and settings, after you sign in.' },
    support: 'If you followed a link from us, tell us which one.',
  },
}
