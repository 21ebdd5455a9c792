// The service's mark and the name of its operator. The browser has loaded the picture as the icon of the tab.
import { pageData } from '../api/page-data.ts'

export function OperatorName() {
  return (
    <span className="flex items-center gap-2.5">
      <img src="/icon.svg" alt="" width="28" height="28" className="flex-none" />
      <span className="min-w-0 wrap-anywhere">{pageData.operatorName}</span>
    </span>
  )
}
