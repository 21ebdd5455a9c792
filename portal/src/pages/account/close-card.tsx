import { useState } from 'react'
import { call } from '../../api/call.ts'
import { goToSignIn, useAccount } from '../../api/session.ts'
import { TypeToConfirmDialog } from '../../parts/type-to-confirm-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { words } from '../../ui/language.ts'

export function CloseCard() {
  const { close } = words().account
  const { email } = useAccount()
  const [asking, setAsking] = useState(false)
  return (
    <Card title={close.title} text={close.text}>
      <div>
        <Button kind="danger" onClick={() => setAsking(true)}>
          {close.submit}
        </Button>
      </div>
      {asking && (
        <TypeToConfirmDialog
          title={close.dialogTitle}
          field={{ label: close.emailField, hint: close.typeEmail(email), type: 'email' }}
          isMatch={(typed) => typed.trim().toLowerCase() === email.toLowerCase()}
          submit={close.submit}
          act={async (typed) => {
            await call('/portal/api/account/close', { email: typed.trim() })
            goToSignIn()
            await new Promise(() => undefined) // Stays busy until the browser has left the page.
          }}
          onClose={() => setAsking(false)}
        >
          <p>{close.dialogText}</p>
        </TypeToConfirmDialog>
      )}
    </Card>
  )
}
