// The frame of the documentation. The pages are Markdown in docs/guide.
import { plural } from '../plural.ts'
import { fieldTexts } from './field-texts.ts'
import { routeTitles } from './route-titles.ts'

const titles = new Map<string, string>(Object.entries(routeTitles))
const fields = new Map<string, string>(Object.entries(fieldTexts))

export const docs = {
  title: 'Documentation',
  intro:
    'With Pazar your shop accepts payments: a link takes the payer to the checkout page, and a signed callback tells your server how the payment ended.',
  /** Marks an entry of the changelog. */
  actionNeeded: 'Action needed',
  groups: {
    start: 'Start here',
    accept: 'Accept payments',
    callbacks: 'Learn the result',
    tools: 'Tools',
    live: 'Live mode',
    reference: 'Reference',
  },
  summaries: {
    quickstart: 'Your first pay link, test payment and verified callback, in ten minutes.',
    'test-mode': 'Try every result of a payment without real money.',
    questions: 'Short answers to what merchants ask first.',
    'pay-links': 'Send a payer to the checkout page with a signed link.',
    qr: 'Let payers scan a pay link from an invoice, a till or a poster.',
    refunds: 'Refund all or part of a payment to the payer.',
    statement: 'What you were paid and what you refunded in a month, by day.',
    callbacks: 'Receive the signed result of each payment on your server.',
    'status-check': 'Ask whether an order was paid.',
    events: 'Read every change to your payments, refunds and disputes in order.',
    exam: 'Test your server with valid and forged callbacks.',
    sdk: 'Links, callbacks and status checks in a few lines of TypeScript or JavaScript.',
    cli: 'Receive callbacks on your own machine and create links from a terminal.',
    'go-live': 'What to check before the first real payment.',
    security: 'What we protect, what you must protect, and what to do after a leak.',
    reference: 'Every route with its fields, responses and a command to try it.',
    errors: 'What each error code means and what to do about it.',
    changelog: 'What has changed, newest first.',
  },
  preview: 'Guides, code for eight programming languages and the API reference.',
  openapi: 'The API, described for programs',
  search: 'Search the documentation',
  searchButton: 'Search',
  results: (count: number, query: string) =>
    `${count} ${plural('en', count, { one: 'result', other: 'results' })} for “${query}”`,
  /** `count` is the most that a search shows. */
  firstResults: (count: number, query: string) => `First ${count} results for “${query}”`,
  noResults: (query: string) => `Nothing found for “${query}”`,
  tryOther: 'Try fewer or other words, or choose a page from the list.',
  emptySearch: 'Type what you are looking for.',
  allPages: 'All pages',
  onThisPage: 'On this page',
  previous: 'Previous',
  next: 'Next',
  neighbours: 'Previous and next page',
  languages: 'Language and account',
  markdown: 'This page as Markdown',
  edit: 'Suggest a change to this page',
  copy: 'Copy',
  copied: 'Copied',
  /** Above the output of a command, and above the response to a request. */
  output: 'Output',
  response: 'Response',
  /** Above a command. */
  terminal: 'Terminal',
  showAll: 'Show all lines',
  skip: 'Skip to the text',
  projects: 'Projects',
  signIn: 'Sign in',
  signUp: 'Create account',
  yours: 'The examples show the ID and the addresses of your project:',
  /** Before the name of the chosen project. */
  examples: 'Examples',
  chooseProject: 'Project in the examples',
  show: 'Show',
  strangers: 'Sign in, and the examples show the ID and the addresses of your own project.',
  notFound: 'Page not found in the documentation',
  notFoundText: 'Search for it, or choose a page from the list.',
  reference: {
    title: 'API reference',
    intro: 'Every route of the API with its fields, its responses and a command to try it. For programs:',
    setUp: 'Set up your terminal',
    setUpText:
      'The commands below use these variables. Create two API tokens in the portal under Account: one with the permission `write`, and one with the permission `refund`. The token with the permission `refund` is for one project: it can read data and refund payments there, and can change nothing else. The secret is only needed for the status check. The transaction ID is `id` in the list of payments and `transactionId` in a callback; the callback ID is the header `webhook-id`, and `id` in the callback log.',
    signInText:
      'The two routes of the live secret are for people, not for tokens. In the portal each has a button; with curl, sign in and enter the password again:',
    tags: {
      projects: 'Projects',
      transactions: 'Payments',
      callbacks: 'Callbacks',
      checkout: 'Checkout',
      assistant: 'Assistant',
    },
    who: 'Who may call',
    session: 'a portal session in which you recently confirmed that it is you',
    token: (scope: string) => `an API token with the permission ${scope}, or a portal session`,
    secret: 'anyone who holds the project’s secret: the hash is the proof',
    anyone: 'anyone',
    places: {
      path: 'Path parameters',
      query: 'Query parameters',
      headers: 'Request headers',
      body: 'Request body',
    },
    webhook: 'It is a `POST` to your callback URL; how to verify it and respond: [callbacks](callbacks.md).',
    answer: 'Response',
    refusals: 'Errors',
    field: 'Field',
    type: 'Type',
    required: 'required',
    meaning: 'Meaning',
    notAlways: 'Not always present.',
    /** Shown instead of a table of fields that another route already has. `link` is Markdown. */
    sameFields: (link: string) => `The same fields as in the response of ${link}.`,
    orElse: 'or',
    or: 'or',
    listOf: 'list of',
    image: 'image',
    fallback: (value: string) => `Default: ${value}.`,
    range: (min: string, max: string) => `${min} to ${max}.`,
    lengths: (min: number, max: number) => `${min} to ${max} characters.`,
    upTo: (max: number) => `At most ${max} characters.`,
    /** `route`: method and URL, or a callback's event. */
    routeTitle: (route: string): string | null => titles.get(route) ?? null,
    /** `path`: the end of the field's path. */
    fieldText: (path: string): string | null => fields.get(path) ?? null,
    /** English texts of the OpenAPI document are shown as they are, with typographic apostrophes. */
    about: (text: string) => text.replaceAll("'", '’'),
  },
}
