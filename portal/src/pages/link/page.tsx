import { useParams } from '@tanstack/react-router'
import type { ProjectView } from '@pazar/contract'
import { PAYER_TEXT_MAX } from '@pazar/contract/limits'
import { roleMay } from '@pazar/contract/permissions'
import { useProject } from '../../api/projects.ts'
import { useDraft } from '../../ui/drafts.ts'
import { pageData } from '../../api/page-data.ts'
import { words } from '../../ui/language.ts'
import { CUSTOM_ID_UNITS_MAX } from '../../parts/custom-id.ts'
import { toModeName, useMode } from '../../parts/mode.ts'
import { formatAmount } from '../../parts/format-amount.ts'
import { AMOUNT_MAX, parseAmount } from '../../parts/parse-amount.ts'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Check, Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Failed } from '../../parts/failed.tsx'
import { LinkResult } from './link-result.tsx'
import type { LinkOptions } from './link-options.ts'

export function Page() {
  const { id } = useParams({ from: '/framed/projects/$id/link' })
  const { data: project, error, refetch } = useProject(id)
  const mode = useMode()
  const { purpose, purposeNoQr } = words().link
  return (
    <>
      <PageHead
        title={words().link.title}
        text={project && !roleMay(project.role, 'qr') ? purposeNoQr : purpose}
        within={[project?.name, toModeName(mode)]}
      />
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!project && !error && <Skeleton rows={2} height="h-64" />}
      {project && <Builder key={`${project.id} ${mode}`} project={project} />}
    </>
  )
}

type LinkDraft = { kind: 'order' | 'poster'; amount: string; data: string; customId: string; signed: boolean }

const EMPTY_LINK: LinkDraft = { kind: 'order', amount: '', data: '', customId: '', signed: true }

// Why this is long: it contains all fields of one form.
function Builder({ project }: { project: ProjectView }) {
  const { link } = words()
  const mode = useMode()
  const sampleAmount = formatAmount('1500').replaceAll(/[^\d.,]/g, '')
  const isTest = mode === 'test'
  // The form starts with a sample only in test mode, so that nobody pays real money for the sample.
  const sample = isTest ? { amount: sampleAmount, data: link.sampleData } : {}
  const { values, set } = useDraft<LinkDraft>(`link-${project.id}-${mode}`, { ...EMPTY_LINK, ...sample })
  const amount = parseAmount(values.amount, pageData.amountScale, pageData.currency)
  const isOrder = values.kind === 'order'
  const isWithoutOrderId = isOrder && values.customId.trim() === ''
  // Test links are always signed. Otherwise anybody could turn a live link into a test link and pay without money.
  const mustSign = isOrder || isTest || project.requireSignedLinks
  const options: LinkOptions | null =
    amount === null
      ? null
      : {
          projectId: project.id,
          mode,
          amount,
          data: values.data.trim(),
          customId: isOrder ? values.customId.trim() : '',
          signed: mustSign || values.signed,
          secretRotatedAt: isTest ? project.testSecretRotatedAt : project.secretRotatedAt,
        }
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card>
        <KindChoice kind={values.kind} onKind={(kind) => set({ kind })} />
        <Field
          label={link.amount}
          value={values.amount}
          onText={(text) => set({ amount: text })}
          inputMode="decimal"
          autoComplete="off"
          placeholder={sampleAmount}
          error={
            amount === null && values.amount.trim() !== '' ? link.amountWrong(formatAmount(AMOUNT_MAX)) : null
          }
          hint={
            <span className="tabular-nums">
              {amount === null ? link.amountHint : link.amountIs(formatAmount(amount))}
            </span>
          }
        />
        <Field
          label={link.data}
          value={values.data}
          onText={(data) => set({ data })}
          placeholder={link.sampleData}
          hint={toDataHint(values.data.trim(), mustSign || values.signed)}
          maxLength={2048}
          autoComplete="off"
        />
        {isOrder && (
          <Field
            label={link.customId}
            value={values.customId}
            onText={(customId) => set({ customId })}
            placeholder={link.sampleOrder}
            // Without an amount, there is no link yet, so a hint is enough. With an amount, a warning replaces the hint.
            hint={isWithoutOrderId && amount === null ? link.noCustomId : undefined}
            maxLength={CUSTOM_ID_UNITS_MAX}
            autoComplete="off"
          />
        )}
        {isWithoutOrderId && amount !== null && (
          <Notice tone="warn" live={false}>
            {link.noCustomId}
          </Notice>
        )}
        {!mustSign && (
          <Check
            label={link.signed}
            hint={link.signedHint}
            checked={values.signed}
            onCheck={(signed) => set({ signed })}
          />
        )}
      </Card>
      <LinkResult options={options} projectName={project.name} canDrawQr={roleMay(project.role, 'qr')} />
    </div>
  )
}

function toDataHint(data: string, isSigned: boolean): string {
  const { signed, tooLong, unsigned } = words().link.dataHint
  if (!isSigned) return unsigned
  return (data.length > PAYER_TEXT_MAX ? tooLong : signed)(data.length, PAYER_TEXT_MAX)
}

function KindChoice({
  kind,
  onKind,
}: {
  kind: LinkDraft['kind']
  onKind: (kind: LinkDraft['kind']) => void
}) {
  const { link } = words()
  const kinds = [
    { value: 'order', label: link.order },
    { value: 'poster', label: link.poster },
  ] as const
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="sr-only">{link.kind}</legend>
      <div className="flex flex-wrap gap-2">
        {kinds.map(({ value, label }) => (
          <label
            key={value}
            className={classNames(
              'flex min-h-11 min-w-0 items-center gap-2 rounded-button border px-4 wrap-anywhere has-focus-visible:outline-3 has-focus-visible:outline-accent has-focus-visible:outline-offset-3',
              kind === value ? 'border-accent font-medium' : 'border-control',
            )}
          >
            <input
              type="radio"
              name="kind"
              className="size-4 accent-accent outline-none"
              checked={kind === value}
              onChange={() => onKind(value)}
            />
            {label}
          </label>
        ))}
      </div>
      <p className="text-sm text-muted">{kind === 'order' ? link.orderText : link.posterText}</p>
    </fieldset>
  )
}
