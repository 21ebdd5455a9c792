/** The assistant's own sentences. */
export const assistant = {
  nothing:
    'The documentation has no answer to this. Try other words. For questions about your contract, fees or account, ask the operator of this service.',
  from: (title: string) => `From “${title}”:`,
  closest: (title: string) => `No section matches this question exactly. The closest is “${title}”:`,
  more: 'The whole page and related ones are listed under sources.',
}
