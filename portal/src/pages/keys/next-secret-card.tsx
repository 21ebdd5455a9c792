// Rotates the live secret in three steps, so that no callback fails: prepare the next secret, add it to the merchant's
// server, and rotate to it.
import { useRef, useState } from 'react'
import type { Ref } from 'react'
import { CalendarClock, RefreshCw, Trash2 } from 'lucide-react'
import type { ProjectView } from '@pazar/contract'
import { formatDateTime } from '@pazar/words'
import {
  discardNextSecret,
  prepareNextSecret,
  promoteNextSecret,
  useNextSecret,
} from '../../api/next-secret.ts'
import { useAccount } from '../../api/session.ts'
import { Failed } from '../../parts/failed.tsx'
import { useAction } from '../../parts/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { setupWords, locale } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'
import { NEXT_SECRET_ID, RotateDialog } from './rotate-dialog.tsx'
import { SecretValue } from './secret-value.tsx'
import { useShownSecret } from './use-shown-secret.ts'

interface NextSecretCardProps {
  project: ProjectView
  onRotated: () => Promise<void>
}

// Why this is long: it contains all parts of one card.
export function NextSecretCard({ project, onRotated }: NextSecretCardProps) {
  const { keys } = setupWords()
  const { data, error, refetch } = useNextSecret(project.id)
  const shown = useShownSecret()
  const [rotating, setRotating] = useState(false)
  // After a discard, the pressed button disappears, so this button gets the focus.
  const prepareButton = useRef<HTMLButtonElement>(null)
  // The button that hides the secret disappears when it is pressed, so this element gets the focus.
  const steps = useRef<HTMLDivElement>(null)
  const prepare = useAction(async () => {
    shown.show(await prepareNextSecret(project.id))
    await refetch()
  })
  const discard = useAction(async () => {
    await discardNextSecret(project.id)
    shown.hide()
    prepareButton.current?.focus()
    await refetch()
  })
  const next = data?.next ?? null
  const failure = error ?? prepare.error ?? discard.error
  return (
    <Card
      id={NEXT_SECRET_ID}
      title={keys.next.title}
      text={next ? undefined : `${keys.next.text} ${keys.next.links}`}
    >
      {failure !== null && <Failed error={failure} />}
      {shown.value !== null && (
        <OnceShown
          value={shown.value}
          onSaved={() => {
            shown.hide()
            steps.current?.focus()
          }}
        />
      )}
      {next && <Steps ref={steps} expiresAt={next.expiresAt} isSecretHidden={shown.value === null} />}
      {/* While the secret is shown, the only thing to do is to save it. */}
      <div hidden={shown.value !== null} className="grid gap-4">
        {/* When a secret is discarded, this button stays and only its text changes, so that it can get the focus. */}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-muted">
          {next && keys.next.missed}
          <Button
            ref={prepareButton}
            small={next !== null}
            busy={prepare.busy}
            icon={!next && <CalendarClock aria-hidden className="size-4" />}
            onClick={() => void prepare.run()}
          >
            {next ? keys.next.prepareAgain : keys.next.prepare}
          </Button>
        </div>
        {/* The button to rotate is last and has no colour, because callbacks fail if the merchant's server does not
            have the secret yet. */}
        {next && (
          <div className="flex flex-wrap gap-2 border-t border-line pt-4 max-sm:*:grow">
            <Button
              busy={discard.busy}
              icon={<Trash2 aria-hidden className="size-4" />}
              onClick={() => void discard.run()}
            >
              {keys.next.discard}
            </Button>
            <Button icon={<RefreshCw aria-hidden className="size-4" />} onClick={() => setRotating(true)}>
              {keys.next.promote}
            </Button>
          </div>
        )}
      </div>
      {rotating && (
        <RotateDialog
          isPrepared
          mode="live"
          projectName={project.name}
          rotate={() => promoteNextSecret(project.id)}
          onClose={() => {
            setRotating(false)
            shown.hide()
            void refetch().then(
              ({ data: reloaded }) => reloaded?.next === null && prepareButton.current?.focus(),
            )
            void onRotated()
          }}
        />
      )}
    </Card>
  )
}

interface StepsProps {
  ref: Ref<HTMLDivElement>
  expiresAt: string
  isSecretHidden: boolean
}

function Steps({ ref, expiresAt, isSecretHidden }: StepsProps) {
  const { next } = setupWords().keys
  const { timeZone } = useAccount()
  const { copy, ...afterCopy } = next.steps
  const steps = isSecretHidden ? Object.values(afterCopy) : [copy, ...Object.values(afterCopy)]
  return (
    <div ref={ref} tabIndex={-1} className="grid gap-2 text-sm text-muted outline-none">
      {isSecretHidden && <p>{next.prepared}</p>}
      <ol className="list-decimal pl-5">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p>{next.links}</p>
      <p>{next.discardedAt(formatDateTime(locale, new Date(expiresAt), timeZone))}</p>
    </div>
  )
}

function OnceShown({ value, onSaved }: { value: string; onSaved: () => void }) {
  const { keys } = setupWords()
  return (
    <>
      <Notice tone="warn">{keys.next.copyNow}</Notice>
      <SecretValue isOnce mode="live" value={value} />
      <div className="flex flex-wrap gap-2 max-sm:*:grow">
        <CopyButton small={false} kind="main" text={value} what={keys.value} />
        <Button onClick={onSaved}>{keys.fresh.close}</Button>
      </div>
    </>
  )
}
