// The fields of a project, the same when it is made and when it is changed.
import { useState } from 'react'
import { facts } from '../../app/facts.ts'
import { locale, words } from '../../app/language.ts'
import { Check, Field } from '../../ui/field.tsx'
import { findUrlFault } from './check-url.ts'
import type { UrlRule } from './check-url.ts'
import type { ProjectValues } from './project-values.ts'
import { shorten } from './shorten.ts'

export interface ProjectFieldsProps {
  values: ProjectValues
  onChange: (change: Partial<ProjectValues>) => void
  /** What the service said about each field. */
  wrong: Record<string, string>
  isNew?: boolean
  /** When changing: what is saved now, shown beside what differs from it. */
  saved?: ProjectValues
}

/** Longer than a press lasts, shorter than anybody waits for an answer. */
const PRESS_MS = 250

type UrlName = 'resultUrl' | 'apiUrl' | 'testApiUrl'

export function ProjectFields({ values, onChange, wrong, isNew = false, saved }: ProjectFieldsProps) {
  const { projects, settings, fields, frame } = words()
  const { form } = projects
  // A field complains once it was left; before that the address is simply not finished.
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  // After the press that left it: a sentence that appears in between would move the button away from under the finger.
  const leave = (name: string) => setTimeout(() => setLeft((before) => new Set([...before, name])), PRESS_MS)

  const wasHint = (name: keyof ProjectValues, hint: string) => {
    if (!saved || saved[name] === values[name]) return hint
    return `${hint} ${settings.was(shorten(String(saved[name])) || settings.empty)}`
  }
  const faultOf = (name: UrlName, rule: UrlRule): string | undefined => {
    const text = values[name].trim()
    if (saved && saved[name] === values[name]) return wrong[name]
    const fault = text === '' || !left.has(name) ? null : findUrlFault(text, rule, facts.allowHosts)
    return fault === null ? wrong[name] : fields[fault]
  }
  const urlField = (name: UrlName, rule: UrlRule, label: string, hint: string, required: boolean) => {
    const error = faultOf(name, rule)
    return (
      <Field
        label={label}
        value={values[name]}
        onText={(text) => onChange({ [name]: text })}
        onBlur={() => leave(name)}
        hint={
          <>
            {wasHint(name, hint)}
            {error === fields.url_own_machine && <ToListen />}
          </>
        }
        error={error}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        required={required}
        name={name}
      />
    )
  }
  // Taken now and not later: whoever begins on his own machine should know before he has to move.
  const isOwnPage = isNew && left.has('resultUrl') && isOnlyForTrying(values.resultUrl.trim())
  const resultHint = isOwnPage ? `${form.resultUrlHint} ${form.resultUrlOwn}` : form.resultUrlHint
  const testField = urlField('testApiUrl', 'callback', form.testApiUrl, form.testApiUrlHint, false)
  return (
    <>
      <Field
        label={form.name}
        value={values.name}
        onText={(name) => onChange({ name })}
        hint={wasHint('name', form.nameHint)}
        error={wrong['name']}
        autoComplete="organization"
        required
        name="name"
      />
      {urlField('resultUrl', isNew ? 'any-page' : 'public-page', form.resultUrl, resultHint, true)}
      {urlField('apiUrl', 'callback', form.apiUrl, form.apiUrlHint, true)}
      {!isNew && testField}
      <Check
        label={form.signed}
        hint={form.signedHint}
        checked={values.requireSignedLinks}
        onCheck={(requireSignedLinks) => onChange({ requireSignedLinks })}
        name="requireSignedLinks"
      />
      {isNew && (
        <details>
          <summary className="min-h-11 content-center font-medium">{frame.more}</summary>
          <div className="mt-2">{testField}</div>
        </details>
      )}
    </>
  )
}

/** A page that may be saved with a new project, but could not replace another one. */
function isOnlyForTrying(url: string): boolean {
  const { allowHosts } = facts
  return (
    url !== '' &&
    findUrlFault(url, 'any-page', allowHosts) === null &&
    findUrlFault(url, 'public-page', allowHosts) !== null
  )
}

function ToListen() {
  return (
    <a href={`/${locale}/docs/cli`} className="block w-fit text-accent underline underline-offset-4">
      {words().projects.form.toListen}
    </a>
  )
}
