export const quickstart = {
  intro:
    'From nothing to a tested integration, in your programming language and with your project’s values filled in.',
  start: (verify: string, callback: string) =>
    `Save the code from step 3 as ${verify} and this one as ${callback} in the same folder. Then start it:`,
  forward: 'In a second terminal, forward test callbacks to it, then send one with the button below:',
  buttons: {
    keys: 'Get the test secret',
    token: 'Create an API token',
    link: 'Create a link here',
    log: 'See the callbacks',
    exam: 'Run the exam here',
    status: 'Check an order here',
    liveKey: 'Get the live secret',
  },
  powerShell:
    'In PowerShell, write $env:NAME= instead of export NAME=, and put the value in quotation marks.',
  withoutNode: 'Without Node',
  listenPath: 'cli#without-node',
  examPath: 'exam#run-it-without-node',
  noEndpoint:
    'The shell is for scripts: it verifies a request, but it is not a server. Choose another language to see a complete server.',
  steps: {
    values: {
      title: '1. Your values',
      text: 'Run these lines in each terminal, with your own test secret and API token. You need the token to receive callbacks and run the exam on your machine. It must have the permission “Read and change (write)”.',
    },
    payment: {
      title: '2. Create a pay link',
      text: 'Your server signs the link, so that nobody can change its amount. Send the payer there.',
    },
    callback: {
      title: '3. Verify the callback',
      text: 'After each payment your server gets a signed request. Verify its raw body, compare the amount with your order, and respond with 200.',
    },
    endpoint: {
      title: '4. Receive it on your machine',
      text: 'A complete server that uses the code from step 3. It needs no public address.',
    },
    signature: {
      title: '5. Pass the exam',
      text: 'Valid and forged callbacks are sent to your server, even on your own machine, and you see which responses are wrong.',
    },
    status: {
      title: '6. Check an order',
      text: 'If a callback does not arrive, ask whether the order was paid.',
    },
    live: {
      title: '7. Go live',
      text: 'Enter your own URLs, then put the live secret in place of the test secret. The overview in live mode says whether the owner’s identity must be verified first.',
    },
  },
}
