import { pageData } from '../../api/page-data.ts'
import { useProjects } from '../../api/projects.ts'
import { Failed } from '../../parts/failed.tsx'
import { formatAmount } from '../../parts/format-amount.ts'
import { AMOUNT_MAX, parseAmount } from '../../parts/parse-amount.ts'
import { Choice, Field, FieldError } from '../../ui/field.tsx'
import { words } from '../../ui/language.ts'

export interface ProjectRestrictionProps {
  /** Empty: all projects. If a project is required, empty means that none is chosen yet. */
  projectId: string
  isRequired: boolean
  onChoice: (projectId: string) => void
  error: string | undefined
}

export function ProjectRestriction({ projectId, isRequired, onChoice, error }: ProjectRestrictionProps) {
  const { form } = words().account.tokens
  const { data, error: listError, refetch } = useProjects()
  const projects = data?.projects ?? []
  return (
    <div className="grid gap-1.5">
      <Choice
        label={form.project}
        value={projectId}
        options={[
          { value: '', label: isRequired ? form.chooseProject : form.allProjects },
          ...projects.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChoice={onChoice}
        required={isRequired}
      />
      {error && <FieldError text={error} />}
      {listError && <Failed error={listError} onRetry={() => void refetch()} />}
    </div>
  )
}

export interface DailyCapProps {
  dailyCap: string
  onText: (dailyCap: string) => void
  error: string | undefined
}

export function DailyCap({ dailyCap, onText, error }: DailyCapProps) {
  const { form } = words().account.tokens
  const cap = parseAmount(dailyCap, pageData.amountScale, pageData.currency)
  return (
    <Field
      label={form.dailyCap(pageData.currency)}
      value={dailyCap}
      onText={onText}
      inputMode="decimal"
      autoComplete="off"
      required
      error={cap === null && dailyCap.trim() !== '' ? form.dailyCapWrong(formatAmount(AMOUNT_MAX)) : error}
      hint={
        <span className="tabular-nums">
          {form.dailyCapHint}
          {cap === null ? '.' : `: ${formatAmount(cap)}`}
        </span>
      }
    />
  )
}
