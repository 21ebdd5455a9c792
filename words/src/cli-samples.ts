/** Sample calls of a text function with one parameter. Each text becomes the list of arguments of one call. */
const toCalls = (...texts: string[]) => texts.map((text): [string] => [text])
const option = toCalls('--amount')
const id = toCalls('msg_0190a1b2')
const file = toCalls('cli.json')
const url = toCalls('http://localhost:4000/callback')
const wait = toCalls('4 s')

export function cliSamples(counts: readonly number[]) {
  return {
    frame: { more: toCalls('pazar-cli') },
    ask: { examLive: url },
    done: {
      signedIn: counts.map((n): [string, number] => ['https://pay.example.me', n]),
      savedIn: file,
      chosen: toCalls('Knjižara Šćepan'),
      saved: toCalls('order-7.svg'),
      queued: id,
      listening: url.map(([address]): [string, string] => ['Knjižara Šćepan', address]),
      sentToListeners: id,
      sentToUrl: url.map(([address]): [string, string] => ['msg_0190a1b2', address]),
      opened: url,
    },
    listen: { lost: wait, again: wait },
    events: { more: toCalls('MSAwMTk4') },
    refund: { key: toCalls('order-7-item-2') },
    exam: { target: url, passed: counts.map((n): [number, number] => [n, 12]) },
    usage: {
      noSuchCommand: toCalls('lisen'),
      needsSecond: [['deliveries', 'list, resend'] as [string, string]],
      noSuchOption: option,
      needsValue: option,
      takesNoValue: option,
      needsOption: option,
      needsArgument: toCalls('<customId>'),
      tooMany: toCalls('order-8'),
      notOneOf: option.map(([name]): [string, string] => [name, 'live, test']),
      notNumber: option,
      notUrl: option,
      notBase: option,
      notImage: option,
      seeHelp: toCalls('pazar-cli listen'),
    },
    problems: {
      unreachable: url,
      timeout: url,
      unexpected: url.map(([address]): [string, number] => [address, 502]),
      cannotRead: file,
      cannotWrite: file,
      badConfig: file,
      serverRefused: url,
    },
    next: { wait, continueAfter: toCalls('MSAwMTk4'), read: url },
  }
}
