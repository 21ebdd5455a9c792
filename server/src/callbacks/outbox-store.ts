// The queue of results to tell. Rows are written by the statement that ends a payment, so that none can be lost and none
// can tell of what did not happen.

// A late "fail" must never undo an order that was paid at the second try; one that was given up could still be sent
// by hand. One on its way keeps its claim, so that the try is put on record, but not its place in the queue. One that
// arrived stays as it is, but is taken hold of: a person who sends it again just now waits, and is then refused.
const cancelFails = (ended: string, isSameOrder: string) => `update callbacks c set lease_until = null,
    status = case when c.delivered_at is null then 'cancelled' else 'delivered' end from ${ended} e
  where e.state = 'succeeded' and c.project_id = e.project_id and c.mode = e.mode and ${isSameOrder}
    and c.result = 'fail' and c.transaction_id is not null
    and c.status in ('pending', 'sending', 'exhausted', 'delivered')`

/**
 * Parts of the one statement that ends a payment, so that its end and the telling of it are a single commit. `ended`
 * names a row set with project_id, id, mode, custom_id, checkout_id and state; the other names are its parameters.
 */
export function toOutboxParts(ended: string, $: { id: string; result: string; payload: string }) {
  return {
    cancelSameCustomId: cancelFails(ended, 'c.custom_id = e.custom_id and c.custom_id is not null'),
    /** Without a customId only the browser knows that a failed attempt and this one are the same checkout. */
    cancelSameCheckout: cancelFails(ended, 'c.checkout_id = e.checkout_id'),
    insert: `insert into callbacks (project_id, id, transaction_id, mode, result, custom_id, checkout_id, payload)
      select e.project_id, ${$.id}, e.id, e.mode, ${$.result}, e.custom_id, e.checkout_id, ${$.payload} from ${ended} e`,
  }
}
