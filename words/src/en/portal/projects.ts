import { PROJECTS_PER_ACCOUNT_MAX } from '@pazar/contract/limits'
import { formatNumber } from '../../format.ts'

export const projects = {
  list: {
    title: 'Projects',
    purpose: 'Each site or app you take payments for is a project, with its own secrets and settings.',
    add: 'New project',
    used: (n: number, limit: number) =>
      `Your projects: ${formatNumber('en', n)} of ${formatNumber('en', limit)}`,
    full: `You have reached the limit of ${PROJECTS_PER_ACCOUNT_MAX} projects. Archive one to free a project slot.`,
    toArchive: 'Choose a project to archive',
    archived: 'Archived',
    showArchived: 'Archived projects',
    id: 'Project ID',
    created: 'Created',
    today: 'Today, live',
    noneToday: 'No completed live payments today',
    rate: (percent: string) => `${percent} successful`,
    lastCallback: 'Last callback',
    emptyTitle: 'Create your first project',
    emptyText:
      'You only need a name that your payers know. Until your server is ready, you can use our own pages: the project’s inbox receives the results of test payments.',
  },
  form: {
    name: 'Project name',
    nameMissing: 'Enter a project name.',
    nameHint: 'Payers see it on the checkout page.',
    more: 'More options',
    moreText: 'Test callback URL, events, time zone',
    resultUrl: 'Return URL',
    resultUrlHint: 'Where the payer’s browser goes after the payment.',
    resultUrlLocal:
      'Fine for a first test. Once the project exists, only a public https address can be saved here.',
    apiUrl: 'Callback URL',
    apiUrlHint: 'Your server’s public https address. Fulfil orders from the callbacks it receives.',
    apiUrlInbox:
      'Now it is the project’s inbox. Replace it before you take live payments: the inbox is for tests only.',
    ownPages: 'Use Pazar’s own pages until my server is ready',
    ownPagesHint:
      'You need no URLs now: payers see our confirmation page, and you read test callbacks in the project’s inbox. Live payments need the callback URL of your server.',
    ownUrlsHint: 'Payers return to your page, and your server receives the callbacks.',
    testApiUrl: 'Test callback URL (optional)',
    testApiUrlHint:
      'If empty, test callbacks go to the command-line tool (CLI, the listen command), or to the callback URL when the CLI is not running.',
    toListen: 'How to receive test callbacks on your own machine',
    timeZone: 'Time zone',
    timeZoneHint: 'The days of the monthly statement follow this zone. Existing entries keep their day.',
    signed: 'Accept signed links only',
    signedHint:
      'Recommended: nobody can change the amount in a link. Turn it off only for links that you do not sign, such as one on a poster.',
  },
  add: {
    title: 'New project',
    text: 'You can change all of this later.',
    submit: 'Create project',
    archive: 'Archive…',
  },
  overview: {
    title: 'Overview',
    purpose: 'What needs your attention, how payments are going, and the latest activity.',
    purposeNew: 'The steps to your first live payment.',
    firstSteps: 'First steps',
    stepsDone: (n: number, total: number) => `${formatNumber('en', n)} of ${formatNumber('en', total)} done`,
    steps: {
      project: 'Project created',
      payment: 'Make a test payment',
      callback: 'Receive a test callback',
      urls: 'Enter your own URLs',
      signature: 'Use your secret on your server',
      signatureHint: 'Check a status from your server, or pass the exam.',
      live: 'First live payment',
    },
    done: 'done',
    notYet: 'not yet',
    open: 'Open',
    stepActions: {
      payment: 'Pay',
      callback: 'Send',
      signature: 'Open exam',
      urls: 'Enter',
      live: 'Secrets',
    },
    seeCode: 'See code',
    quick: 'Quick access',
    sampleLink: (amount: string) => `Test pay link for ${amount}`,
    testCallback: 'Test callback',
    openLink: 'Open the checkout page',
    lastTransactions: 'Latest payments',
    lastDeliveries: 'Latest callbacks',
    all: 'All',
    archivedTitle: 'This project is archived',
    archivedText: 'Its links do not accept payments. The owner can restore it in the settings.',
    kycTitle: 'Identity check needed',
    kycText:
      'Live payments are possible once the identity of the project’s owner has been verified. In test mode you can already try everything.',
    ownPagesTitle: 'This project still uses our own pages',
    ownPagesText:
      'That is enough for tests. Before live payments, the callback URL of your server and the address of the page to which payers return must be entered.',
    toUrls: 'Enter the URLs',
    support: 'Contact the operator',
  },
}
