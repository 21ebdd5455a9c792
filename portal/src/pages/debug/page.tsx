// The signature debugger: says which part of a pasted request does not match. The service does not store the request.
import { Link, useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { Mode, VerifySignatureAnswer } from '@pazar/contract'
import { verifySignature } from '../../api/exam.ts'
import { useProject } from '../../api/projects.ts'
import { setupWords, words } from '../../ui/language.ts'
import { toModeName, useMode } from '../../parts/mode.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Failed } from '../../parts/failed.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { useForm } from '../../ui/use-form.ts'
import { parseRequest } from './parse-request.ts'
import type { RequestParts } from './parse-request.ts'
import { PartFields } from './part-fields.tsx'
import { Problems } from './problems.tsx'

export function Page() {
  const { id } = useParams({ from: '/framed/projects/$id/debug' })
  const { data: project, error, refetch } = useProject(id)
  const mode = useMode()
  const { debug } = setupWords()
  return (
    <>
      <PageHead
        title={words().frame.debug}
        text={`${debug.intro} ${debug.notStored}`}
        within={[project?.name, toModeName(mode)]}
      />
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!project && !error && <Skeleton rows={2} height="h-64" />}
      {project && <Debugger key={project.id} projectId={project.id} />}
    </>
  )
}

const EXAMPLE =
  'webhook-id: msg_…\nwebhook-timestamp: 1794931200\nwebhook-signature: v1,…\n\n{"customId":"order-1042", …}'

const EMPTY: RequestParts = { id: '', timestamp: '', signature: '', body: '' }

function toHeaders({ id, timestamp, signature }: RequestParts): Record<string, string> {
  const all = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value.trim() !== ''))
}

interface CheckedResult extends VerifySignatureAnswer {
  mode: Mode
  parts: RequestParts
}

function Debugger({ projectId }: { projectId: string }) {
  const { debug } = setupWords()
  const mode = useMode()
  const [pasted, setPasted] = useState('')
  const pastedField = useRef<HTMLTextAreaElement>(null)
  const [parts, setParts] = useState(EMPTY)
  const [result, setResult] = useState<CheckedResult | null>(null)
  const form = useForm(async () => {
    setResult(null)
    const answer = await verifySignature(projectId, { headers: toHeaders(parts), body: parts.body, mode })
    setResult({ ...answer, mode, parts })
    // After a paste, the field shows the end of the text, but most findings are about its start.
    pastedField.current?.scrollTo({ top: 0 })
  })
  const isParsed = pasted.trim() === '' || parseRequest(pasted) !== null

  const change = (part: Partial<RequestParts>) => setParts({ ...parts, ...part })
  const paste = (text: string) => {
    setPasted(text)
    change(parseRequest(text) ?? {})
  }
  return (
    <form className="grid max-w-5xl gap-6" onSubmit={form.onSubmit}>
      {form.error !== null && <Failed error={form.error} />}
      {/* Each mode has its own secret, so a change of mode hides the result. A change of the request hides the result
          too, even if the result arrives after the change. */}
      {result?.mode === mode && result.parts === parts && <Problems result={result} />}
      <Card>
        <TextArea
          ref={pastedField}
          label={debug.paste}
          hint={debug.pasteHint}
          value={pasted}
          onText={paste}
          rows={6}
          placeholder={EXAMPLE}
          error={isParsed ? null : debug.notRead}
        />
        <details open={isParsed ? undefined : true} className="border-y border-line py-1">
          <summary className="min-h-11 content-center font-medium">{debug.parts}</summary>
          <div className="mt-2 mb-4 grid gap-4">
            <PartFields parts={parts} onChange={change} />
          </div>
        </details>
        <p className="text-sm text-muted">
          {debug.modeHint[mode]}{' '}
          <Link
            to="/projects/$id/keys"
            params={{ id: projectId }}
            search={{ mode }}
            className="text-accent underline underline-offset-4"
          >
            {debug.secrets}
          </Link>
        </p>
        <div className="flex flex-wrap gap-2">
          <Button kind="main" type="submit" busy={form.busy}>
            {debug.submit}
          </Button>
          {(pasted !== '' || Object.values(parts).some((part) => part !== '')) && (
            <Button
              onClick={() => {
                setPasted('')
                change(EMPTY)
              }}
            >
              {debug.clear}
            </Button>
          )}
        </div>
      </Card>
    </form>
  )
}
