import { useState } from 'react'
import type { MailTopic, Role } from '@pazar/contract'
import { MAIL_TOPICS, mayGetMails } from '@pazar/contract/permissions'
import { chooseMails } from '../../api/members.ts'
import type { MailChoice } from '../../api/members.ts'
import { Failed } from '../../parts/failed.tsx'
import { useAction } from '../../parts/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Check } from '../../ui/field.tsx'
import { words } from '../../ui/language.ts'
import { toast } from '../../ui/toasts.tsx'

export interface MailsCardProps {
  projectId: string
  email: string
  role: Role
  mails: readonly MailTopic[]
}

export function MailsCard({ projectId, email, role, mails }: MailsCardProps) {
  const { mails: text } = words().members
  // Only the changed topics are stored here, so that saving does not undo what another tab has saved.
  const [changed, setChanged] = useState<MailChoice>({})
  const { run, busy, error } = useAction(async () => {
    await chooseMails(projectId, email, changed)
    // A topic that was changed again during the request stays changed.
    setChanged((latest) => omitSent(latest, changed))
    toast(text.saved)
  })
  return (
    <Card title={text.title} text={text.text}>
      {error !== null && <Failed error={error} />}
      {MAIL_TOPICS.filter((topic) => mayGetMails(role, topic)).map((topic) => (
        <Check
          key={topic}
          label={text.topics[topic]}
          checked={changed[topic] ?? mails.includes(topic)}
          onCheck={(isOn) => setChanged({ ...changed, [topic]: isOn })}
        />
      ))}
      <div>
        <Button busy={busy} onClick={() => void run()}>
          {words().frame.save}
        </Button>
      </div>
    </Card>
  )
}

function omitSent(latest: MailChoice, sent: MailChoice): MailChoice {
  return Object.fromEntries(
    MAIL_TOPICS.filter((topic) => latest[topic] !== sent[topic]).map((topic) => [topic, latest[topic]]),
  )
}
