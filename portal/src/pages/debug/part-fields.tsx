import { setupWords } from '../../ui/language.ts'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import type { RequestParts } from './parse-request.ts'

export interface PartFieldsProps {
  parts: RequestParts
  onChange: (change: Partial<RequestParts>) => void
}

export function PartFields({ parts, onChange }: PartFieldsProps) {
  const { debug } = setupWords()
  const header = (name: 'id' | 'timestamp' | 'signature') => (
    <Field
      mono
      label={debug[name]}
      value={parts[name]}
      onText={(text) => onChange({ [name]: text })}
      autoComplete="off"
      spellCheck={false}
    />
  )
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        {header('id')}
        {header('timestamp')}
      </div>
      {header('signature')}
      <TextArea
        label={debug.body}
        hint={debug.bodyHint}
        value={parts.body}
        onText={(body) => onChange({ body })}
        rows={6}
      />
    </>
  )
}
