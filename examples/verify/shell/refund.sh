#!/usr/bin/env bash
# Refunds a payment and reads the list of events.
# region
# Needs bash, curl and jq.

# refund 'https://pay.example.me' 'YOUR_PROJECT_ID' "$transaction_id" '500' 'return-12' "$PAZAR_TOKEN"

# refund base_url project_id transaction_id amount key token
# Refunds this amount, in cents. An empty amount refunds the rest. Prints the refund, with its id
# and state. Calls with the same key refund only once. After an error or a timeout, repeat the call
# with the same key.
refund() {
  jq -nc --arg project "$2" --arg payment "$3" --arg amount "$4" --arg key "$5" \
    '{projectId: $project, transactionId: $payment, idempotencyKey: $key}
      + (if $amount == "" then {} else {amount: $amount} end)' |
    post "$1/sdk/transaction/refund" "$6" | jq -ce .refund
}

# read_events base_url project_id after token
# Prints what changed after this cursor, in items; an empty cursor prints everything. Save next with your
# work. Repeat while hasMore.
read_events() {
  jq -nc --arg project "$2" --arg after "$3" \
    '{projectId: $project} + (if $after == "" then {} else {after: $after} end)' |
    post "$1/sdk/events/list" "$4"
}

# post url token < body
# The token is passed as a file, because arguments can be read by everybody on the machine. After an error
# status it prints the status and the code, for example refund_exceeds, and fails.
post() {
  local answer
  answer=$(curl -sS -m 30 -w '\n%{http_code}' -H 'content-type: application/json' \
    -H @<(printf 'authorization: Bearer %s' "$2") --data-binary @- "$1") || return 2
  if [[ ${answer##*$'\n'} == 2?? ]]; then echo "${answer%$'\n'*}" && return; fi
  echo "Pazar returned status ${answer##*$'\n'}: $(jq -r '.code // empty' <<< "${answer%$'\n'*}")" >&2
  return 2
}
# endregion

# bash refund.sh baseUrl projectId [transactionId amount key], with PAZAR_TOKEN in the environment. Without a
# transaction it prints the types of all events.
set -uo pipefail
if (($# > 2)); then
  made=$(refund "$1" "$2" "$3" "$4" "$5" "$PAZAR_TOKEN") || exit 2
  jq -r '"\(.id) \(.state)"' <<< "$made"
  exit
fi
after=''
while page=$(read_events "$1" "$2" "$after" "$PAZAR_TOKEN") || exit 2; do
  jq -r '.items[].type' <<< "$page"
  after=$(jq -r .next <<< "$page")
  if [[ $(jq .hasMore <<< "$page") == false ]]; then exit; fi
done
