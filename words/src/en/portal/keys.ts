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
  hidesSoon: 'Hidden after 60 seconds or when you leave the page.',
  masked: 'hidden',
  env: {
    title: 'On your server',
    text: 'Put both values into the environment of your program, never into its code. Replace <…>, including the brackets, with the secret that you copy on this page.',
    placeholders: {
      live: '<your live secret>',
      test: '<your test secret>',
      token: '<your API token>',
    },
  },
  next: {
    title: 'Next live secret',
    text: 'Rotate without missing a callback: prepare the next secret, add it to your server beside the current one, switch to it, then replace the old one on your server at once. Until you switch, the prepared secret is not used.',
    prepare: 'Prepare the next secret',
    missed: 'Did not copy it?',
    prepareAgain: 'Replace with another',
    promote: 'Switch to this secret…',
    discard: 'Discard',
    copyNow:
      'Copy it now. It is hidden in 60 seconds and cannot be shown again. If you miss it, replace it with another.',
    prepared: 'The secret was shown once and cannot be shown again.',
    discardedAt: (when: string) =>
      `If you do not switch by ${when}, the prepared secret is discarded. The current secret keeps working.`,
    steps: {
      copy: 'Copy the prepared secret.',
      add: 'Add it to your server as PAZAR_NEXT_SECRET, beside the current one.',
      change: 'Once your server has it, switch to it.',
      replace:
        'Right after the switch, set PAZAR_SECRET to it on your server and remove PAZAR_NEXT_SECRET. Until then, new pay links and status checks from your server are refused.',
    },
    links:
      'After the switch, signed pay links you have already sent, and their printed QR codes, stop working.',
  },
  dialog: {
    titleLive: 'Rotate the live secret?',
    titleTest: 'Rotate the test secret?',
    titleNext: 'Switch to the prepared secret?',
    hasNext:
      'Your server must already have the prepared secret: callbacks are signed with it from the switch on. Right after the switch, set PAZAR_SECRET to it: until then, new pay links and status checks from your server are refused.',
    discardsNext:
      'You have a prepared secret. Rotating here creates a different secret, and the prepared one is discarded.',
    toNext: 'Go to the prepared secret',
    immediate: 'The old secret stops working immediately.',
    stops: {
      callbacks: 'Callbacks signed with the new secret fail your checks until your server has it.',
      links:
        'Signed pay links you have already sent stop working, and so do printed QR codes of signed links.',
      testLinks: 'Test links signed with the old secret stop working.',
      status: 'Status checks signed with the old secret are refused.',
    },
    typeName: (name: string) => `Type “${name}” to confirm`,
    saferWay:
      'Your server can keep accepting callbacks during the change, if you prepare the next secret first.',
    submit: 'Rotate now',
    submitNext: 'Switch now',
  },
  fresh: {
    title: 'This is the new secret',
    text: 'Put it on your server now. You can also reveal it later.',
    textNext:
      'Set PAZAR_SECRET to it on your server now, and remove PAZAR_NEXT_SECRET. You can also reveal it later.',
    envLine: 'Line for your .env file',
    close: 'I have saved it',
  },
}
