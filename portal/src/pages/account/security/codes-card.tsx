import { renewCodes } from '../../../api/factors.ts'
import { Failed } from '../../../parts/failed.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { securityWords } from '../../../ui/language.ts'

export interface CodesCardProps {
  /** How many recovery codes are left. Null: the account has no second factor. */
  codesLeft: number | null
  onCodes: (codes: string[]) => void
}

export function CodesCard({ codesLeft, onCodes }: CodesCardProps) {
  const { codes: text } = securityWords()
  const renewal = useAction(async () => onCodes(await renewCodes()))
  return (
    <Card id="codes" title={text.title} text={text.text}>
      <p>{codesLeft === null ? text.none : text.left(codesLeft)}</p>
      {renewal.error !== null && <Failed error={renewal.error} />}
      {codesLeft !== null && (
        <div>
          <Button busy={renewal.busy} onClick={() => void renewal.run()}>
            {text.renew}
          </Button>
        </div>
      )}
    </Card>
  )
}
