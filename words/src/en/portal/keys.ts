// The secrets of a project: shown, copied and replaced.
export const keys = {
  title: 'Secrets',
  intro:
    'Your server uses these to sign pay links and verify callbacks. Keep them out of browsers, apps and repositories.',
  live: 'Live secret',
  test: 'Test secret',
  liveText: 'For live links and live callbacks. Confirm it is you to reveal it.',
  testText: 'For test links and test callbacks. No real money is involved.',
  rotatedAt: 'Issued',
  reveal: 'Reveal',
  hide: 'Hide',
  rotate: 'Rotate secret',
  value: 'Secret',
  hidesSoon: 'Hidden again after 60 seconds or when you leave the page.',
  masked: 'hidden',
  env: {
    title: 'On your server',
    text: 'Put both values into the environment of your program, never into its code. Replace what is between < and > with the secret that you copy on this page.',
    placeholders: {
      live: '<your live secret>',
      test: '<your test secret>',
      token: '<your API token>',
    },
  },
  next: {
    title: 'Next live secret',
    text: 'Rotate without downtime of your server: prepare the next secret, add it to your server beside the current one, then rotate to it. Until then it signs and verifies nothing. Signed pay links you have already sent and printed QR codes still stop working.',
    prepare: 'Prepare the next secret',
    prepareAgain: 'Prepare another one',
    promote: 'Rotate to it',
    discard: 'Discard it',
    expires: 'One is prepared. It was shown once and expires',
  },
  dialog: {
    titleLive: 'Rotate the live secret?',
    titleTest: 'Rotate the test secret?',
    immediate: 'The old secret stops working immediately.',
    stops: {
      callbacks: 'Callbacks signed with the new secret fail your checks until your server has it.',
      links: 'Signed pay links you have already sent stop working, and so do printed QR codes.',
      status: 'Status checks signed with the old secret are refused.',
    },
    typeName: (name: string) => `To confirm, type the project’s name: ${name}`,
    nameField: 'Project name',
    submit: 'Rotate now',
  },
  fresh: {
    title: 'This is the new secret',
    text: 'Put it on your server now. You can also reveal it later.',
    envLine: 'Line for your .env file',
    close: 'I have saved it',
  },
}
