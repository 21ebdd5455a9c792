// The list of projects, a new one, and the overview of one.
import { formatNumber } from '../../format.ts'

export const projects = {
  list: {
    title: 'Projects',
    add: 'New project',
    used: (n: number, limit: number) => `${formatNumber('en', n)} of ${formatNumber('en', limit)} projects`,
    full: 'You have reached the limit of 5 projects. Archive one in its settings to free a place.',
    archived: 'Archived',
    showArchived: 'Archived projects',
    id: 'Project ID',
    created: 'Created',
    today: 'Today',
    rate: 'Success rate',
    lastCallback: 'Last callback',
    emptyTitle: 'Create your first project',
    emptyText:
      'You need three things: a name your customers know, the page they return to, and the https address that receives callbacks.',
  },
  form: {
    name: 'Project name',
    nameHint: 'Customers see it on the checkout page.',
    resultUrl: 'Return URL',
    resultUrlHint: 'Where the customer’s browser goes after the payment.',
    resultUrlOwn:
      'Enough for trying. Once the project is created, only a public https address can be saved here.',
    apiUrl: 'Callback URL',
    apiUrlHint: 'Your server’s public https address. Orders are fulfilled from what it receives.',
    testApiUrl: 'Callback URL for test mode (optional)',
    testApiUrlHint:
      'Left empty, test callbacks go to whoever listens (the listen command), and to the callback URL when nobody does.',
    toListen: 'How test callbacks reach your own machine',
    signed: 'Accept signed links only',
    signedHint:
      'Nobody can change the amount in a link. Switch it off only if you need links without a signature, for example on a poster.',
  },
  add: {
    title: 'New project',
    text: 'You can change everything later; a changed return URL must be public https.',
    submit: 'Create',
  },
  overview: {
    title: 'Overview',
    firstSteps: 'First steps',
    stepsDone: (n: number, total: number) => `${formatNumber('en', n)} of ${formatNumber('en', total)} done`,
    steps: {
      project: 'Project created',
      payment: 'Make a test payment',
      callback: 'Receive a test callback',
      signature: 'Show that signatures work: check a status or pass the exam',
      live: 'First live payment',
    },
    done: 'done',
    notYet: 'not yet',
    open: 'Open',
    quick: 'At hand',
    sampleLink: (amount: string) => `Pay link for ${amount}`,
    openLink: 'Open the pay page',
    lastTransactions: 'Latest transactions',
    lastDeliveries: 'Latest deliveries',
    all: 'All',
    archivedTitle: 'This project is archived',
    archivedText: 'Its links take no payments. Restore it in the settings.',
    kycTitle: 'Identity check needed',
    kycText: 'Live payments open once your identity has been checked. Test mode works fully.',
    support: 'Contact support',
  },
}
