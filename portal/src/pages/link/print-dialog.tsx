import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { ReactNode } from 'react'
import type { Locale, PortalWords } from '@pazar/words'
import { loadWordsOf, words } from '../../ui/language.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { ReadyLink } from './link-options.ts'
import { CODES_PER_SHEET, PrintLabel } from './print-label.tsx'
import type { Paper } from './print-label.tsx'

export interface PrintDialogProps {
  ready: ReadyLink
  projectName: string
  onClose: () => void
}

export function PrintDialog({ ready, projectName, onClose }: PrintDialogProps) {
  const { link, frame } = words()
  const isForOneOrder = ready.options.customId !== ''
  const [paper, setPaper] = useState<Paper>(isForOneOrder ? 'a6' : 'a4')
  const texts = useAllWords()
  const label = texts && <PrintLabel ready={ready} projectName={projectName} texts={texts} />
  return (
    <Dialog title={link.sheet.title} onClose={onClose}>
      {isForOneOrder && (
        <Notice tone="warn" live={false}>
          {link.sheet.once}
        </Notice>
      )}
      <Choice
        label={link.sheet.paper}
        value={paper}
        options={(['a4', 'a6'] as const).map((value) => ({ value, label: link.sheet[value] }))}
        onChoice={setPaper}
      />
      <Preview paper={paper} label={label} />
      <div className="flex flex-wrap gap-2">
        <Button kind="main" busy={!texts} onClick={() => window.print()}>
          {link.print}
        </Button>
        <Button onClick={onClose}>{frame.cancel}</Button>
      </div>
      {/* The sheet is outside the page and hidden on the screen. Only the sheet is printed. */}
      {createPortal(
        <div className="print-sheet" data-paper={paper}>
          {repeat(CODES_PER_SHEET[paper], label)}
        </div>,
        document.body,
      )}
    </Dialog>
  )
}

function repeat(count: number, label: ReactNode): ReactNode {
  return Array.from({ length: count }, (_, index) => <div key={index}>{label}</div>)
}

/** Shows the sheet before it is printed. Its labels are all the same, so screen readers get only the first. */
function Preview({ paper, label }: { paper: Paper; label: ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-72 overflow-hidden rounded-control border border-line">
      <div className="print-preview" data-paper={paper}>
        <div>{label}</div>
        <div aria-hidden className="contents">
          {repeat(CODES_PER_SHEET[paper] - 1, label)}
        </div>
      </div>
    </div>
  )
}

type AllWords = Readonly<Record<Locale, PortalWords>>

/** The words in both languages. Null: still loading. If they cannot be loaded, both are in the page's language. */
function useAllWords(): AllWords | null {
  const [texts, setTexts] = useState<AllWords | null>(null)
  useEffect(() => {
    let isUnmounted = false
    const show = (all: AllWords) => !isUnmounted && setTexts(all)
    Promise.all([loadWordsOf('cnr'), loadWordsOf('en')]).then(
      ([cnr, en]) => show({ cnr, en }),
      () => show({ cnr: words(), en: words() }),
    )
    return () => {
      isUnmounted = true
    }
  }, [])
  return texts
}
