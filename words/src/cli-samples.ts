// Sample arguments of the command line tool's texts; see samples.ts.
/** For a function with one argument: each text is the argument of one call. */
const one = (...texts: string[]) => texts.map((text): [string] => [text])
const option = one('--amount')
const id = one('msg_0190a1b2')
const file = one('cli.json')
const url = one('http://localhost:4000/callback')
const wait = one('4 s')

export function cliSamples(counts: readonly number[]) {
  return {
    frame: { more: one('pazar-cli') },
    ask: { examLive: url },
    done: {
      signedIn: counts.map((n): [string, number] => ['https://pay.example.me', n]),
      savedIn: file,
      chosen: one('Knjižara Šćepan'),
      saved: one('order-7.svg'),
      queued: id,
      listening: url.map(([address]): [string, string] => ['Knjižara Šćepan', address]),
      sentToListeners: id,
      sentToUrl: url.map(([address]): [string, string] => ['msg_0190a1b2', address]),
      opened: url,
    },
    listen: { lost: wait, again: wait },
    events: { more: one('MSAwMTk4') },
    refund: { key: one('order-7-item-2') },
    exam: { target: url, passed: counts.map((n): [number, number] => [n, 12]) },
    usage: {
      noSuchCommand: one('lisen'),
      needsSecond: [['deliveries', 'list, resend'] as [string, string]],
      noSuchOption: option,
      needsValue: option,
      takesNoValue: option,
      needsOption: option,
      needsArgument: one('<customId>'),
      tooMany: one('order-8'),
      notOneOf: option.map(([name]): [string, string] => [name, 'live, test']),
      notNumber: option,
      notUrl: option,
      notImage: option,
      seeHelp: one('pazar-cli listen'),
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
    next: { wait, read: url },
  }
}
