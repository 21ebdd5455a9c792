import type { ApiTokenView } from '@pazar/contract'
import { useProjects } from '../../api/projects.ts'
import { words } from '../../ui/language.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Cell, HeadCell, ROW, Table } from '../../ui/table.tsx'
import { formatAmount } from '../../parts/format-amount.ts'
import { Time } from '../../parts/time.tsx'

export interface TokenTableProps {
  tokens: readonly ApiTokenView[]
  onRevoke: (token: ApiTokenView) => void
}

export function TokenTable({ tokens, onRevoke }: TokenTableProps) {
  const { tokens: text, tabs } = words().account
  const { columns } = text
  return (
    <Table label={tabs.tokens}>
      <thead>
        <tr>
          <HeadCell>{columns.name}</HeadCell>
          <HeadCell>{columns.scope}</HeadCell>
          <HeadCell>{columns.lastUsed}</HeadCell>
          <HeadCell>{columns.expires}</HeadCell>
          <HeadCell right>{columns.action}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <tr key={token.id} className={ROW}>
            <Cell label={columns.name} narrow="whole" className="font-strong max-md:text-base">
              <bdi>{token.name}</bdi>
            </Cell>
            <Cell label={columns.scope} className="xl:whitespace-nowrap">
              {text.scopes[token.scope]}
              <Limits cap={token.dailyCap} projectId={token.projectId} />
            </Cell>
            <Cell
              label={columns.lastUsed}
              narrow="right"
              named={token.lastUsedAt !== null}
              className="whitespace-nowrap"
            >
              {token.lastUsedAt === null ? text.neverUsed : <Time at={token.lastUsedAt} />}
            </Cell>
            <Cell label={columns.expires} named={!token.expired} className="whitespace-nowrap">
              {token.expired ? <Badge tone="warn" text={text.expired} /> : <Time at={token.expiresAt} />}
            </Cell>
            <Cell label={columns.action} narrow="right" right className="md:wrap-break-word">
              <Button small kind="danger" onClick={() => onRevoke(token)}>
                {text.revoke}
                <span className="sr-only">{token.name}</span>
              </Button>
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function Limits({ cap, projectId }: { cap: string | null; projectId: string | null }) {
  const { form } = words().account.tokens
  const project = useProjects().data?.projects.find(({ id }) => id === projectId)
  return (
    <span className="block text-xs text-muted">
      {projectId === null && form.allProjects}
      {project && <bdi>{project.name}</bdi>}
      {project && cap !== null && ' · '}
      {cap !== null && form.dailyCapIs(formatAmount(cap))}
    </span>
  )
}
