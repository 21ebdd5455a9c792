/** The assistant's own sentences; the rest of its replies is quoted from the documentation. */
export const assistant = {
  nothing:
    'The documentation has no answer to this. Try other words, or see the pages under sources. For questions about your contract, fees or account, ask the operator.',
  from: (title: string) => `From “${title}”:`,
  more: 'The whole page and related ones are listed under sources.',
}
