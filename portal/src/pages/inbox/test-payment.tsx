// A link to a test payment, whose callback goes to the inbox.
import { useQuery } from '@tanstack/react-query'
import { toErrorText } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { FieldError } from '../../ui/field.tsx'
import { words } from '../../ui/language.ts'
import { buttonClass } from '../../ui/button.tsx'

/** In the smallest unit of the currency. */
const AMOUNT = '1500'

export function TestPayment({ projectId }: { projectId: string }) {
  const { inbox, link } = words()
  const { data, error, refetch } = useQuery({
    queryKey: ['test-payment', projectId],
    // After a rotation of the secret, a link that was made earlier no longer works.
    staleTime: 0,
    queryFn: ({ signal }) => {
      // In test mode, the sample servers of the guide accept every order whose ID starts with "test-".
      const body = { amount: AMOUNT, data: link.sampleData, mode: 'test', customId: `test-${Date.now()}` }
      return call<{ url: string }>(`/portal/api/projects/${projectId}/pay-link`, body, { signal })
    },
  })
  return (
    <>
      <a
        href={data?.url}
        target="_blank"
        rel="noreferrer"
        aria-disabled={data === undefined}
        // An order can be paid only once, so the next click needs another order.
        onClick={() => void refetch()}
        className={buttonClass()}
      >
        {inbox.pay}
      </a>
      {error && <FieldError text={toErrorText(error).title} />}
    </>
  )
}
