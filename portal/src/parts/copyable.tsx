import { CopyButton } from '../ui/copy-button.tsx'
import { ICON_ONLY } from './icon-only.ts'

export function Copyable({ name, value }: { name: string; value: string }) {
  return (
    <span className="-my-1.5 -mr-2.5 flex items-center gap-x-1">
      <code className="font-mono max-sm:text-xs">{value}</code>
      <CopyButton {...ICON_ONLY} text={value} what={name} />
    </span>
  )
}
