// The samples in examples/verify: their list, their paths, and the part that a merchant copies.

/** In the order in which they are shown. */
export const SAMPLE_LANGUAGES = [
  { id: 'typescript', name: 'TypeScript', ending: 'ts' },
  { id: 'php', name: 'PHP', ending: 'php' },
  { id: 'python', name: 'Python', ending: 'py' },
  { id: 'csharp', name: 'C#', ending: 'cs' },
  { id: 'java', name: 'Java', ending: 'java' },
  { id: 'go', name: 'Go', ending: 'go' },
  { id: 'ruby', name: 'Ruby', ending: 'rb' },
  { id: 'shell', name: 'Shell', ending: 'sh' },
] as const

export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number]['id']

/** `check` reads whether an order was paid. `refund` returns money and reads the list of events. */
export const SAMPLE_NAMES = ['sign', 'verify', 'check', 'refund'] as const
export type SampleName = (typeof SAMPLE_NAMES)[number]

/** From the root of the repository. */
export function toSamplePath(language: SampleLanguage, name: SampleName | 'callback'): string {
  const ending = SAMPLE_LANGUAGES.find(({ id }) => id === language)?.ending
  return `examples/verify/${language}/${name}.${ending}`
}

/** The command that starts the complete endpoint, in a folder that also has the code of `verify`. */
export const ENDPOINT_COMMANDS: Readonly<Partial<Record<SampleLanguage, string>>> = {
  typescript: 'node callback.ts',
  php: 'php -S localhost:4000 callback.php',
  python: 'python3 callback.py',
  csharp: [
    'dotnet new console -o shop && rm shop/Program.cs && cp verify.cs callback.cs shop && dotnet run --project shop',
    '# Mono: mcs -r:System.Runtime.Serialization -out:callback.exe verify.cs callback.cs && mono callback.exe',
  ].join('\n'),
  java: 'javac verify.java callback.java && java Callback',
  go: 'go run verify.go callback.go',
  ruby: 'ruby callback.rb',
}

/** The command with which Mono compiles each sample in C#. */
export const MONO_COMMANDS: Readonly<Record<SampleName, string>> = {
  sign: 'mcs sign.cs',
  verify: 'mcs -r:System.Runtime.Serialization verify.cs',
  check: 'mcs -r:System.Net.Http check.cs',
  refund: 'mcs -r:System.Net.Http refund.cs',
}

/** Placeholders that are replaced by the reader's values. Not every sample has all of them. */
export const SAMPLE_PLACEHOLDERS = {
  baseUrl: 'https://pay.example.me',
  projectId: 'YOUR_PROJECT_ID',
  customId: 'order-7',
} as const

const BEGIN = /^\W*region$/
const END = /^\W*endregion$/

/** PHP and Go files do not work without this line. */
const HEAD = /^(?:<\?php|package main)$/

/** The lines between `region` and `endregion`, after the line that files of this language must begin with. */
export function cutSample(text: string): string {
  const lines = text.split('\n')
  const begin = lines.findIndex((line) => BEGIN.test(line))
  const end = lines.findIndex((line) => END.test(line))
  if (begin < 0 || end < begin) throw new Error('A sample needs a line "region" and, below it, "endregion".')
  const head = lines.slice(0, begin).filter((line) => HEAD.test(line))
  const body = lines
    .slice(begin + 1, end)
    .join('\n')
    .trim()
  return [...head.map((line) => `${line}\n\n`), body, '\n'].join('')
}

/** Safe inside a string of every language. Other values could break the code. */
const SAFE_VALUE = /^[\w:/.-]+$/

export function fillSample(
  text: string,
  values: Readonly<Partial<Record<keyof typeof SAMPLE_PLACEHOLDERS, string>>>,
): string {
  let filled = text
  for (const [name, placeholder] of Object.entries(SAMPLE_PLACEHOLDERS)) {
    const value = values[name as keyof typeof SAMPLE_PLACEHOLDERS]
    if (value !== undefined && SAFE_VALUE.test(value)) filled = filled.replaceAll(placeholder, () => value)
  }
  return filled
}
