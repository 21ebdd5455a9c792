// Where a token with the permission to refund may do so, and how much a day.
import { pageData } from '../../api/page-data.ts'
import { useProjects } from '../../api/projects.ts'
import { formatAmount } from '../../parts/format-amount.ts'
import { parseAmount } from '../../parts/parse-amount.ts'
import { Choice, Field, FieldError } from '../../ui/field.tsx'
import { words } from '../../ui/language.ts'

export interface RefundLimitsProps {
  limits: { projectId: string; dailyCap: string }
  onChange: (change: { projectId?: string; dailyCap?: string }) => void
  fieldErrors: Record<string, string>
}

export function RefundLimits({ limits: { projectId, dailyCap }, onChange, fieldErrors }: RefundLimitsProps) {
  const { form } = words().account.tokens
  const projects = useProjects().data?.projects ?? []
  const cap = parseAmount(dailyCap, pageData.amountScale, pageData.currency)
  return (
    <>
      <div className="grid gap-1.5">
        <Choice
          label={form.project}
          value={projectId}
          options={[
            { value: '', label: form.chooseProject },
            ...projects.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChoice={(id) => onChange({ projectId: id })}
          required
        />
        {fieldErrors['projectId'] && <FieldError text={fieldErrors['projectId']} />}
      </div>
      <Field
        label={form.dailyCap}
        value={dailyCap}
        onText={(text) => onChange({ dailyCap: text })}
        inputMode="decimal"
        autoComplete="off"
        required
        error={cap === null && dailyCap.trim() !== '' ? form.dailyCapWrong : fieldErrors['dailyCap']}
        hint={
          <span className="tabular-nums">
            {cap === null ? form.dailyCapHint : form.dailyCapIs(formatAmount(cap))}
          </span>
        }
      />
    </>
  )
}
