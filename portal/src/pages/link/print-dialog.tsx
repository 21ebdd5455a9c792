// Paper for the code: which size, how it will look, and the browser's own printing.
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Locale, PortalWords } from '@pazar/words'
import { loadWordsOf, words } from '../../app/language.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { ReadyLink } from './link-wish.ts'
import { CODES_ON, PrintLabel } from './print-label.tsx'
import type { Paper } from './print-label.tsx'

export interface PrintDialogProps {
  ready: ReadyLink
  projectName: string
  onClose: () => void
}

export function PrintDialog({ ready, projectName, onClose }: PrintDialogProps) {
  const { link, frame } = words()
  const isForOneOrder = ready.wish.customId !== ''
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
      <div className="mx-auto w-full max-w-72 overflow-hidden rounded-control border border-line">
        {label}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button kind="main" busy={!texts} onClick={() => window.print()}>
          {link.print}
        </Button>
        <Button onClick={onClose}>{frame.cancel}</Button>
      </div>
      {/* Beside the page and never on the screen: printing shows it and nothing else. */}
      {createPortal(
        <div className="print-sheet" data-paper={paper}>
          {Array.from({ length: CODES_ON[paper] }, (_, index) => (
            <div key={index}>{label}</div>
          ))}
        </div>,
        document.body,
      )}
    </Dialog>
  )
}

type AllWords = Readonly<Record<Locale, PortalWords>>

/** Null until the other language has come. If it cannot be had, the sheet says everything in this one, twice. */
function useAllWords(): AllWords | null {
  const [texts, setTexts] = useState<AllWords | null>(null)
  useEffect(() => {
    let isLeft = false
    const show = (all: AllWords) => !isLeft && setTexts(all)
    Promise.all([loadWordsOf('cnr'), loadWordsOf('en')]).then(
      ([cnr, en]) => show({ cnr, en }),
      () => show({ cnr: words(), en: words() }),
    )
    return () => {
      isLeft = true
    }
  }, [])
  return texts
}
