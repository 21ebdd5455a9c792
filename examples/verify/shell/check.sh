#!/usr/bin/env bash
# Checks with Pazar whether an order was paid.
# region
# Needs bash, curl, openssl and jq.

# To print true if the order was paid, add this at the end and run: bash check.sh
# is_paid 'https://pay.example.me' 'YOUR_PROJECT_ID' 'order-7' '1500' "$PAZAR_SECRET" && echo true

# is_paid base_url project_id custom_id amount secret
# Succeeds if this order was paid with exactly this amount, in cents. An empty amount matches any amount.
# Returns 1 when it was not, 2 when there was no usable response.
is_paid() {
  local question signed hash answer
  question=$(jq -nc --arg project "$2" --arg order "$3" --arg amount "$4" \
    '{projectId: $project, customId: $order} + (if $amount == "" then {} else {amount: $amount} end)')
  signed=$(printf '{"alg":"HS256","typ":"JWT"}' | openssl base64 -A | url_safe)
  signed+=.$(printf %s "$question" | openssl base64 -A | url_safe)
  hash=$signed.$(printf %s "$signed" | mac "$5" | url_safe)
  # Ten seconds, because a payer may be waiting.
  answer=$(jq -c --arg hash "$hash" '. + {hash: $hash}' <<< "$question" |
    curl -fsS -m 10 -H 'content-type: application/json' --data-binary @- \
      "$1/sdk/transaction/checkStatus") || return 2
  case $(jq .successful <<< "$answer") in
    true) return 0 ;;
    false) return 1 ;;
    *) return 2 ;; # For example a redirect, which has no body.
  esac
}

url_safe() { tr '+/' '-_' | tr -d '='; }

# mac key < message: HMAC-SHA256 in base64. The function does not give the key to openssl, because openssl
# takes a key only as an argument, and everybody on the machine can read arguments.
mac() {
  local key inner='' outer='' i
  if ((${#1} > 64)); then # A key longer than a block is replaced by its hash.
    key=$(printf %s "$1" | openssl dgst -sha256 -binary | od -An -v -tx1)
  else
    key=$(printf %s "$1" | od -An -v -tx1)
  fi
  printf -v key '%-128s' "${key//[[:space:]]/}"
  key=${key// /0}
  for ((i = 0; i < 128; i += 2)); do
    printf -v inner '%s\\x%02x' "$inner" $((0x${key:i:2} ^ 0x36))
    printf -v outer '%s\\x%02x' "$outer" $((0x${key:i:2} ^ 0x5c))
  done
  {
    printf "$outer"
    { printf "$inner" && cat; } | openssl dgst -sha256 -binary
  } | openssl dgst -sha256 -binary | openssl base64 -A
}
# endregion

# bash check.sh baseUrl projectId customId [amount], with PAZAR_SECRET in the environment.
set -uo pipefail
is_paid "$1" "$2" "$3" "${4:-}" "$PAZAR_SECRET"
code=$?
case $code in
  0) echo paid ;;
  1) echo 'not paid' ;;
esac
exit "$code"
