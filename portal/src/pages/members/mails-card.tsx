import { useState } from 'react'
import type { MailTopic, Role } from '@pazar/contract'
import { MAIL_TOPICS, mayGetMails } from '@pazar/contract/permissions'
import { chooseMails } from '../../api/members.ts'
import { Failed } from '../../parts/failed.tsx'
import { useAction } from '../../parts/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Check } from '../../ui/field.tsx'
import { words } from '../../ui/language.ts'
import { toast } from '../../ui/toasts.tsx'

export interface MailsCardProps {
  projectId: string
  role: Role
  mails: readonly MailTopic[]
}

export function MailsCard({ projectId, role, mails }: MailsCardProps) {
  const { mails: text } = words().members
  const [chosen, setChosen] = useState<ReadonlySet<MailTopic>>(() => new Set(mails))
  const { run, busy, error } = useAction(async () => {
    await chooseMails(projectId, [...chosen])
    toast(text.saved)
  })
  function setTopic(topic: MailTopic, isOn: boolean): void {
    setChosen(new Set(MAIL_TOPICS.filter((one) => (one === topic ? isOn : chosen.has(one)))))
  }
  return (
    <Card title={text.title} text={text.text}>
      {error !== null && <Failed error={error} />}
      {MAIL_TOPICS.filter((topic) => mayGetMails(role, topic)).map((topic) => (
        <Check
          key={topic}
          label={text.topics[topic]}
          checked={chosen.has(topic)}
          onCheck={(isOn) => setTopic(topic, isOn)}
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
