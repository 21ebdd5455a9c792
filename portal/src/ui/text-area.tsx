import { useId } from 'react'
import type { Ref, TextareaHTMLAttributes } from 'react'
import { classNames } from './class-names.ts'
import { FieldError, inputClass } from './field.tsx'
import { useNativeProblem } from './use-native-problem.ts'

export interface TextAreaProps extends Omit<
  TextareaHTMLAttributes<HTMLTextAreaElement>,
  'onChange' | 'value'
> {
  label: string
  value: string
  onText: (text: string) => void
  hint?: string
  ref?: Ref<HTMLTextAreaElement>
  error?: string | null
}

/** For pasted text, which the browser must not correct. */
export function TextArea({
  label,
  value,
  onText,
  hint,
  error: passedError,
  className,
  ...rest
}: TextAreaProps) {
  const id = useId()
  const native = useNativeProblem()
  const error = native.problem ?? passedError
  const describedBy = [error ? `${id}-error` : null, hint ? `${id}-hint` : null].filter(Boolean).join(' ')
  return (
    <div className={classNames('grid min-w-0 grid-cols-1 gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <textarea
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        {...rest}
        id={id}
        value={value}
        onInvalid={native.onInvalid}
        onChange={(event) => {
          native.clear()
          onText(event.target.value)
        }}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy || undefined}
        className={classNames(inputClass, 'font-mono')}
      />
      {error && <FieldError id={`${id}-error`} text={error} />}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}
