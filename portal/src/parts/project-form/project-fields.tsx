import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { isServicePage } from '../../api/service-pages.ts'
import { pageData } from '../../api/page-data.ts'
import { useAccount } from '../../api/session.ts'
import { locale, words } from '../../ui/language.ts'
import { Check, Field } from '../../ui/field.tsx'
import { EventFields } from './event-fields.tsx'
import { findUrlFault } from './check-url.ts'
import type { UrlRule } from './check-url.ts'
import type { ProjectValues } from './project-values.ts'
import { shorten } from '../shorten.ts'
import { TimeZoneChoice } from '../time-zone-choice.tsx'

export interface ProjectFieldsProps {
  values: ProjectValues
  onChange: (change: Partial<ProjectValues>) => void
  fieldErrors: Record<string, string>
  isNew?: boolean
  /** The values before the user changed them. The hint of a changed name or URL also shows the saved value. */
  saved?: ProjectValues
}

export type ProjectFieldName =
  | 'name'
  | 'resultUrl'
  | 'apiUrl'
  | 'testApiUrl'
  | 'requireSignedLinks'
  | 'events'
  | 'timeZone'

/** Pressing a button takes less time than this. */
const PRESS_MS = 250

type UrlName = 'resultUrl' | 'apiUrl' | 'testApiUrl'

const EXAMPLES: Record<UrlName, string> = {
  resultUrl: 'https://shop.example.com/thank-you',
  apiUrl: 'https://shop.example.com/callback',
  testApiUrl: 'https://test.example.com/callback',
}

// Why this is long: it contains all fields of one form.
export function useProjectFields(
  props: ProjectFieldsProps,
): Record<ProjectFieldName, ReactNode> & { errorCount: number; withErrors: readonly string[] } {
  const { values, onChange, fieldErrors, isNew = false, saved } = props
  const { projects, settings, fields } = words()
  const { form } = projects
  // A URL is checked only after its field has lost the focus, because until then the URL may be unfinished.
  const [leftFields, setLeftFields] = useState<ReadonlySet<string>>(new Set())
  // Without a delay, the error would appear while the user presses a button, and would move the button away.
  const lastLeft = useRef<HTMLInputElement>(null)
  const markAsLeft = (name: string, input: HTMLInputElement) =>
    setTimeout(() => {
      lastLeft.current = input
      setLeftFields((names) => new Set([...names, name]))
    }, PRESS_MS)
  useEffect(() => {
    if (lastLeft.current) scrollToError(lastLeft.current)
  }, [leftFields])

  const toHint = (name: keyof ProjectValues, hint: string) => {
    if (!saved || saved[name] === values[name]) return hint
    return (
      <>
        {hint}
        <span className="block">{settings.was(shorten(String(saved[name])) || settings.empty)}</span>
      </>
    )
  }
  const findError = (name: UrlName, rule: UrlRule): string | undefined => {
    const text = values[name].trim()
    if ((saved && saved[name] === values[name]) || isServicePage(text)) return fieldErrors[name]
    const fault = text === '' || !leftFields.has(name) ? null : findUrlFault(text, rule, pageData.allowHosts)
    return fault === null ? fieldErrors[name] : fields[fault]
  }
  const errors = {
    name: fieldErrors['name'],
    resultUrl: findError('resultUrl', isNew ? 'any-page' : 'public-page'),
    apiUrl: findError('apiUrl', 'callback'),
    testApiUrl: findError('testApiUrl', 'callback'),
  }
  const toUrlField = (name: UrlName, label: string, hint: string, required: boolean) => {
    const error = errors[name]
    return (
      <Field
        label={label}
        value={values[name]}
        onText={(text) => onChange({ [name]: text })}
        onBlur={({ currentTarget }) => markAsLeft(name, currentTarget)}
        hint={
          <>
            {error ? name === 'resultUrl' && isLocalPage && form.resultUrlLocal : toHint(name, hint)}
            {error === fields.url_own_machine && <CliLink />}
          </>
        }
        error={error}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder={isNew ? EXAMPLES[name] : undefined}
        required={required}
        name={name}
      />
    )
  }
  // The result page of a new project may be on the developer's machine. A saved project cannot switch to such a page.
  const isLocalPage = isNew && leftFields.has('resultUrl') && isDevelopmentOnly(values.resultUrl.trim())
  const resultHint = isLocalPage ? `${form.resultUrlHint} ${form.resultUrlLocal}` : form.resultUrlHint
  const isInbox = saved !== undefined && isServicePage(saved.apiUrl)
  const apiHint = isInbox ? `${form.apiUrlHint} ${form.apiUrlInbox}` : form.apiUrlHint
  const account = useAccount()
  return {
    withErrors: Object.keys(errors),
    errorCount: Object.values(errors).filter(Boolean).length,
    name: (
      <Field
        label={form.name}
        value={values.name}
        onText={(name) => onChange({ name })}
        hint={toHint('name', form.nameHint)}
        error={errors.name}
        autoComplete="organization"
        required
        missing={form.nameMissing}
        name="name"
      />
    ),
    resultUrl: toUrlField('resultUrl', form.resultUrl, resultHint, true),
    apiUrl: toUrlField('apiUrl', form.apiUrl, apiHint, true),
    testApiUrl: toUrlField('testApiUrl', form.testApiUrl, form.testApiUrlHint, false),
    requireSignedLinks: (
      <Check
        label={form.signed}
        hint={form.signedHint}
        checked={values.requireSignedLinks}
        onCheck={(requireSignedLinks) => onChange({ requireSignedLinks })}
        name="requireSignedLinks"
      />
    ),
    events: <EventFields values={values} onChange={onChange} />,
    timeZone: (
      <div className="grid gap-1.5">
        <TimeZoneChoice
          label={form.timeZone}
          value={values.timeZone || account.timeZone}
          onChoice={(timeZone) => onChange({ timeZone })}
        />
        <p className="text-sm text-muted">{form.timeZoneHint}</p>
      </div>
    ),
  }
}

/** Scrolls to the error of a visible field, because the error may be behind the bar with the buttons. */
function scrollToError(input: HTMLInputElement): void {
  const { top, bottom } = input.getBoundingClientRect()
  if (top < 0 || bottom > window.innerHeight || input.ariaInvalid !== 'true') return
  const [errorId = ''] = input.getAttribute('aria-describedby')?.split(' ') ?? []
  document.querySelector(`#${CSS.escape(errorId)}`)?.scrollIntoView({ block: 'nearest' })
}

/** Whether this URL is allowed in a new project, but refused as a change of a saved project. */
function isDevelopmentOnly(url: string): boolean {
  const { allowHosts } = pageData
  return (
    url !== '' &&
    findUrlFault(url, 'any-page', allowHosts) === null &&
    findUrlFault(url, 'public-page', allowHosts) !== null
  )
}

function CliLink() {
  return (
    <a href={`/${locale}/docs/cli`} className="block w-fit text-accent underline underline-offset-4">
      {words().projects.form.toListen}
    </a>
  )
}
