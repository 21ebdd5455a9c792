import { renewCodes } from '../../../api/factors.ts'
import { Failed } from '../../../parts/failed.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { words } from '../../../ui/language.ts'

export interface CodesCardProps {
  /** Null: the account has no second factor. */
  left: number | null
  onCodes: (codes: string[]) => void
}

export function CodesCard({ left, onCodes }: CodesCardProps) {
  const { codes: text } = words().security
  const renewal = useAction(async () => onCodes(await renewCodes()))
  return (
    <Card title={text.title} text={text.text}>
      <p>{left === null ? text.none : text.left(left)}</p>
      {renewal.error !== null && <Failed error={renewal.error} />}
      {left !== null && (
        <div>
          <Button busy={renewal.busy} onClick={() => void renewal.run()}>
            {text.renew}
          </Button>
        </div>
      )}
    </Card>
  )
}
