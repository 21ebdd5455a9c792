import { useId, useRef } from 'react'
import type { ProjectView } from '@pazar/contract'
import { colours } from '@pazar/theme'
import { ACCENT_PATTERN } from '@pazar/theme/brand'
import { ApiError, toFieldErrors } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { pageData } from '../../api/page-data.ts'
import { cacheLogo, cacheProject, isOwnerUnverified } from '../../api/projects.ts'
import { Failed } from '../../parts/failed.tsx'
import { FormError } from '../../parts/form-error.tsx'
import { useAction } from '../../parts/use-action.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field, FieldError } from '../../ui/field.tsx'
import { words } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useForm } from '../../ui/use-form.ts'
import { BrandPreview } from './brand-preview.tsx'
import type { BrandValues } from './brand-preview.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { useSavedDraft } from './use-saved-draft.ts'

const FIELDS = ['displayName', 'accent', 'supportEmail', 'website'] as const satisfies (keyof BrandValues)[]

function toValues({ brand }: ProjectView): BrandValues {
  const { displayName, accent, supportEmail, website } = brand
  return {
    displayName: displayName ?? '',
    accent: accent ?? '',
    supportEmail: supportEmail ?? '',
    website: website ?? '',
  }
}

const TYPES: Record<(typeof FIELDS)[number], string> = {
  displayName: 'text',
  accent: 'text',
  supportEmail: 'email',
  website: 'url',
}

export function BrandCard({ project }: { project: ProjectView }) {
  const { brand } = words().settings
  const saved = toValues(project)
  const draft = useSavedDraft(`brand-${project.id}`, saved)
  const { values } = draft
  const changed = FIELDS.filter((field) => values[field].trim() !== saved[field])
  const { error, busy, onSubmit } = useForm(async () => {
    // Sends only the changed fields, so that two people who edit different fields do not undo each other's change.
    const body = Object.fromEntries(changed.map((field) => [field, values[field].trim() || null]))
    const next = await call<ProjectView>(`/portal/api/projects/${project.id}/brand`, body)
    draft.resetTo(toValues(next))
    cacheProject(next)
    toast(brand.saved)
  })
  const errors = toFieldErrors(error)
  return (
    <Card title={brand.title} text={brand.text}>
      {isOwnerUnverified(project) && (
        <Notice
          tone="info"
          live={false}
          action={
            pageData.supportUrl && (
              <a className={buttonClass('second', true)} href={pageData.supportUrl}>
                {words().projects.overview.support}
              </a>
            )
          }
        >
          {brand.unverified}
        </Notice>
      )}
      <div className="grid gap-x-10 gap-y-6 md:grid-cols-2">
        <div className="grid content-start gap-5">
          <Logo project={project} />
          <form className="grid content-start gap-5" onSubmit={onSubmit} noValidate>
            <FormError error={error} fields={FIELDS} />
            {FIELDS.map((field) => (
              <Field
                key={field}
                label={brand[field]}
                type={TYPES[field]}
                value={values[field]}
                onText={(text) => draft.set({ [field]: text })}
                error={errors[field]}
                mono={field === 'accent'}
                {...(field === 'accent' && {
                  hint: brand.accentHint,
                  placeholder: colours.light.accent,
                  maxLength: 7,
                  after: <ColourPicker value={values.accent} onPick={(accent) => draft.set({ accent })} />,
                })}
              />
            ))}
            <div>
              <Button kind="main" type="submit" busy={busy} disabled={changed.length === 0}>
                {brand.save}
              </Button>
            </div>
          </form>
        </div>
        <BrandPreview project={project} values={values} />
      </div>
      <LeaveGuard hasChanges={changed.length > 0} onDiscard={() => draft.resetTo(saved)} />
    </Card>
  )
}

function ColourPicker({ value, onPick }: { value: string; onPick: (accent: string) => void }) {
  const typed = value.trim().toLowerCase()
  return (
    <input
      type="color"
      aria-label={words().settings.brand.pickColour}
      title={words().settings.brand.pickColour}
      value={ACCENT_PATTERN.test(typed) ? typed : colours.light.accent}
      onChange={({ target }) => onPick(target.value)}
      className="h-11 w-14 shrink-0 cursor-pointer rounded-control border border-control bg-raised p-1"
    />
  )
}

function isRefusedFile(error: unknown): boolean {
  return error instanceof ApiError && ['payload_too_large', 'unsupported_media_type'].includes(error.code)
}

function Logo({ project }: { project: ProjectView }) {
  const { brand } = words().settings
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const path = `/portal/api/projects/${project.id}/brand/logo`
  const upload = useAction(async (file: File) => {
    cacheLogo(project.id, (await call<{ logoUrl: string }>(path, file)).logoUrl)
  })
  const remove = useAction(async () => {
    await call(`${path}/remove`, {})
    cacheLogo(project.id, null)
  })
  const error = upload.error ?? remove.error
  const reason = toFieldErrors(error)['logo'] ?? (isRefusedFile(error) ? brand.logoRefused : undefined)
  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="text-sm font-medium">
        {brand.logo}
      </label>
      <input
        ref={input}
        id={id}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        className="sr-only"
        onChange={({ target }) => {
          const file = target.files?.[0]
          // After this reset, choosing the same file again counts as a change.
          target.value = ''
          if (file) void upload.run(file)
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button busy={upload.busy} onClick={() => input.current?.click()}>
          {brand.chooseLogo}
        </Button>
        {project.brand.logoUrl !== null && (
          <Button busy={remove.busy} onClick={() => void remove.run()}>
            {brand.removeLogo}
          </Button>
        )}
      </div>
      {reason && <FieldError text={reason} />}
      {error !== null && !reason && <Failed error={error} />}
      <p className="text-sm text-muted">{brand.logoHint}</p>
    </div>
  )
}
