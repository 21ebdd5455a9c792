/** What the assistant says by itself; the rest of its answers is quoted from the documentation. */
export const assistant = {
  nothing:
    'The documentation has no answer to this. Ask in other words, or look at the pages under sources. For what it cannot know (your contract, fees, your account), ask the operator.',
  from: (title: string) => `From “${title}”:`,
  more: 'The whole page and others that fit are listed under sources.',
}
