import { useState } from 'react'
import { hasCode, toFieldErrors } from '../../../api/api-error.ts'
import { confirmTotp } from '../../../api/factors.ts'
import type { TotpOffer } from '../../../api/factors.ts'
import { FormError } from '../../../parts/form-error.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { securityWords, words } from '../../../ui/language.ts'
import { Notice } from '../../../ui/notice.tsx'
import { useForm } from '../../../ui/use-form.ts'
import { useIsPhone } from '../../../ui/use-phone.ts'

export interface SetUpDialogProps {
  offer: TotpOffer
  onClose: () => void
  onDone: (recoveryCodes: string[]) => void
}

const toGroups = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')

/** A phone cannot scan its own screen, so the dialog on a phone also has a link that opens the authenticator app. */
export function SetUpDialog({ offer, onClose, onDone }: SetUpDialogProps) {
  const { setUp: text } = securityWords().app
  const [code, setCode] = useState('')
  const { error, busy, onSubmit } = useForm(async () => onDone(await confirmTotp(code)))
  const hasEnded = hasCode(error, 'not_found')
  const isPhone = useIsPhone()
  return (
    <Dialog title={text.title} onClose={onClose} ignoresOutsideClicks>
      {isPhone ? (
        <>
          <p>{text.onPhone}</p>
          <a href={offer.uri} className={buttonClass('second')}>
            {text.openApp}
          </a>
        </>
      ) : (
        <>
          <p>{text.scan}</p>
          <QrCode qr={offer.qr} />
        </>
      )}
      <div className="grid gap-1.5">
        <p className="text-sm font-medium">{text.secret}</p>
        <div className="flex flex-wrap items-center gap-2">
          <code className="rounded-control border border-line bg-surface px-3 py-2 font-mono text-sm wrap-anywhere select-all">
            {toGroups(offer.secret)}
          </code>
          <CopyButton text={offer.secret} what={text.secret} />
        </div>
      </div>
      {hasEnded && <Notice tone="warn">{text.ended}</Notice>}
      {!hasEnded && <FormError error={error} fields={['code']} />}
      <form className="grid gap-4" onSubmit={onSubmit}>
        <Field
          label={text.code}
          value={code}
          onText={setCode}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={40}
          mono
          className="[&_input]:text-center [&_input]:text-lg [&_input]:tracking-[0.3em]"
          autoFocus
          required
          error={toFieldErrors(error)['code']}
        />
        <div className="flex flex-wrap gap-2">
          <Button kind="main" type="submit" busy={busy}>
            {text.submit}
          </Button>
          <Button onClick={onClose}>{words().frame.cancel}</Button>
        </div>
      </form>
      {isPhone && (
        <div className="grid gap-3 border-t border-line pt-4">
          <p className="text-sm text-muted">{text.otherDevice}</p>
          <QrCode qr={offer.qr} />
        </div>
      )}
    </Dialog>
  )
}

function QrCode({ qr }: { qr: string }) {
  return (
    <div data-theme="light" className="mx-auto w-full max-w-56 rounded-control bg-white">
      <img
        src={`data:image/svg+xml,${encodeURIComponent(qr)}`}
        alt={securityWords().app.setUp.qrAlt}
        className="size-full"
      />
    </div>
  )
}
