import { useId } from 'react'
import type { InputHTMLAttributes, ReactNode } from 'react'
import { CircleAlert } from 'lucide-react'
import { classNames } from './class-names.ts'
import { useNativeProblem } from './use-native-problem.ts'

export const inputClass = classNames(
  'w-full min-h-11 rounded-control border border-control bg-raised px-3 py-2 text-base text-ink text-ellipsis',
  'placeholder:text-muted aria-invalid:border-error aria-invalid:outline-error',
)

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  label: string
  value: string
  onText?: (text: string) => void
  hint?: ReactNode
  error?: string | null | undefined
  /** The error of an empty field that is required. */
  missing?: string
  after?: ReactNode
  mono?: boolean
}

export function Field(props: FieldProps) {
  const { label, value, onText, hint, error: passedError, missing, after, mono, className, ...rest } = props
  const id = useId()
  const native = useNativeProblem(missing)
  const error = native.problem ?? passedError
  const describedBy = [error ? `${id}-error` : null, hint ? `${id}-hint` : null].filter(Boolean).join(' ')
  return (
    <div className={classNames('grid min-w-0 grid-cols-1 gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex gap-2 min-w-0">
        <input
          {...rest}
          id={id}
          value={value}
          onInvalid={native.onInvalid}
          onChange={(event) => {
            native.clear()
            onText?.(event.target.value)
          }}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy || undefined}
          className={classNames(inputClass, 'min-w-0 read-only:bg-surface', mono && 'font-mono')}
        />
        {after}
      </div>
      {error && <FieldError id={`${id}-error`} text={error} />}
      {hint && (
        <div id={`${id}-hint`} className="text-sm text-muted wrap-anywhere">
          {hint}
        </div>
      )}
    </div>
  )
}

export function FieldError({ id, text }: { id?: string; text: string }) {
  return (
    <p id={id} className="flex gap-1.5 text-sm text-error">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{text}</span>
    </p>
  )
}

export interface CheckProps {
  label: string
  hint?: ReactNode
  checked: boolean
  /** Absent for a check box that cannot be changed. */
  onCheck?: (checked: boolean) => void
  name?: string
}

export function Check({ label, hint, checked, onCheck, name }: CheckProps) {
  const id = useId()
  return (
    <div className="flex gap-3">
      <input
        id={id}
        name={name}
        type="checkbox"
        checked={checked}
        disabled={onCheck === undefined}
        onChange={(event) => onCheck?.(event.target.checked)}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="check-box mt-0.5 shrink-0"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}

export interface ChoiceProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChoice: (value: T) => void
  hideLabel?: boolean
  required?: boolean
  /** The full text of an option that may be cut off. */
  title?: string | undefined
  className?: string
}

export function Choice<T extends string>({
  label,
  value,
  options,
  onChoice,
  hideLabel,
  required,
  title,
  className,
}: ChoiceProps<T>) {
  const id = useId()
  const { problem, clear, onInvalid } = useNativeProblem()
  return (
    <div className={classNames('grid min-w-0 grid-cols-1 gap-1.5', className)}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </label>
      <select
        id={id}
        value={value}
        required={required}
        title={title}
        onInvalid={onInvalid}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-error` : undefined}
        onChange={(event) => {
          clear()
          onChoice(event.target.value as T)
        }}
        className={classNames(inputClass, 'own-arrow')}
      >
        {options.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </select>
      {problem && <FieldError id={`${id}-error`} text={problem} />}
    </div>
  )
}
