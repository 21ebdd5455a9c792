// Code to copy, in the chosen programming language. The code is from tested files, and is loaded when it is shown.
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { cutSample, fillSample, SAMPLE_LANGUAGES, toSamplePath } from '@pazar/words'
import type { SampleLanguage, SampleName } from '@pazar/words'
import { words } from '../ui/language.ts'
import { CodeBox } from '../ui/code-box.tsx'
import { Choice } from '../ui/field.tsx'
import { Skeleton } from '../ui/states.tsx'
import { createStoredText } from '../ui/stored-text.ts'
import { Failed } from './failed.tsx'

const ROOT = '../../../'
const files = import.meta.glob<string>('../../../examples/verify/*/*.*', { query: '?raw', import: 'default' })

/** The docs use the same key, so that people choose a language only once. */
const storedLanguage = createStoredText('localStorage', 'pazar-code-language')
/** The key of earlier versions of the docs. */
const oldDocsLanguage = createStoredText('localStorage', 'docs-language')
const OPTIONS = SAMPLE_LANGUAGES.map(({ id, name }) => ({ value: id, label: name }))

function readLanguage(): SampleLanguage {
  const stored = storedLanguage.read() ?? oldDocsLanguage.read()
  return SAMPLE_LANGUAGES.find(({ id, ending }) => id === stored || ending === stored)?.id ?? 'typescript'
}

const watchers = new Set<() => void>()

function watchLanguage(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

function storeLanguage(language: SampleLanguage): void {
  storedLanguage.write(language)
  for (const watcher of watchers) watcher()
}

export function useSampleLanguage(): SampleLanguage {
  return useSyncExternalStore(watchLanguage, readLanguage)
}

export function toFileName(language: SampleLanguage, name: SampleName | 'callback'): string {
  return toSamplePath(language, name).replace(/.*\//, '')
}

async function loadSample(language: SampleLanguage, name: SampleName | 'callback'): Promise<string> {
  const load = files[ROOT + toSamplePath(language, name)]
  if (!load) throw new Error(`There is no sample ${name} in ${language}.`)
  const text = await load()
  return name === 'callback' ? text : cutSample(text)
}

export function CodeLanguageChoice() {
  return (
    <Choice
      label={words().frame.codeLanguage}
      value={useSampleLanguage()}
      options={OPTIONS}
      onChoice={storeLanguage}
      className="w-full max-w-80"
    />
  )
}

export interface CodeSampleProps {
  /** `callback`: the whole file of an endpoint that receives callbacks. */
  name: SampleName | 'callback'
  label: string
  /** These values of the project replace the placeholders. */
  values?: Parameters<typeof fillSample>[1]
  /** True: the page shows one `CodeLanguageChoice` for all its samples. */
  hidesLanguageChoice?: boolean
}

export function CodeSample({ name, label, values = {}, hidesLanguageChoice = false }: CodeSampleProps) {
  const language = useSampleLanguage()
  const { data, error, refetch } = useQuery({
    queryKey: ['sample', language, name],
    queryFn: () => loadSample(language, name),
    staleTime: Infinity,
  })
  const text = data === undefined ? undefined : fillSample(data, values)
  return (
    <div className="grid min-w-0 gap-3">
      {!hidesLanguageChoice && <CodeLanguageChoice />}
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!error && !text && <Skeleton rows={1} height="h-80" />}
      {text && <CodeBox language={language} heading={toFileName(language, name)} label={label} text={text} />}
    </div>
  )
}
