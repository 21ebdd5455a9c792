#!/usr/bin/env bash
# Verifies a callback of Pazar, or reports why it is refused.
# region
# Needs bash, openssl and jq.

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

# verify_callback body_file id timestamp signatures secrets price_of [now]
# Prints the callback, or prints the reason and returns 1: respond with 400 and do nothing else.
#   body_file: the bytes as received. JSON that was parsed and rewritten has another signature.
#   id, timestamp, signatures: the headers webhook-id, webhook-timestamp, webhook-signature.
#   secrets: the current secret, and during a rotation the next one too, with a space between them.
#   price_of: a command of yours that gets the callback and prints the price of this order in your records,
#     in cents; nothing for an unknown order. A signature does not prove that enough was paid. Only called
#     for payments.
verify_callback() {
  local body_file=$1 id=$2 timestamp=$3 signatures=$4 secrets=$5 price_of=$6 now=${7:-$(date +%s)}
  local expected key keys one list secret='' mode=live age callback event
  read -ra keys <<< "$secrets"
  read -ra list <<< "$signatures"
  if ((${#keys[@]} == 0)); then echo no_secret && return 1; fi
  for key in "${keys[@]}"; do
    if ((${#key} < 32)); then echo no_secret && return 1; fi # Anybody can sign with an empty key.
    expected=v1,$({ printf '%s.%s.' "$id" "$timestamp" && cat "$body_file"; } | mac "$key")
    # Both are hashed again, so that the time of the comparison reveals nothing.
    expected=$(printf %s "$expected" | mac "$key")
    for one in "${list[@]}"; do
      if [[ $(printf %s "$one" | mac "$key") == "$expected" ]]; then secret=$key; fi
    done
  done
  if [[ -z $secret || ! $timestamp =~ ^[1-9][0-9]{0,11}$ ]]; then echo bad_signature && return 1; fi
  age=$((now - timestamp))
  if ((age > 300 || age < -300)); then echo expired && return 1; fi # Perhaps a replayed request.

  if ! callback=$(jq -ce 'select(.event | type == "string")' "$body_file" 2> /dev/null); then
    echo malformed && return 1
  fi
  [[ $secret == sk_test_* ]] && mode=test
  if [[ $(jq -r .mode <<< "$callback") != "$mode" ]]; then echo wrong_mode && return 1; fi
  event=$(jq -r .event <<< "$callback")
  if [[ $event == payment.result && $(jq -r .amount <<< "$callback") != "$("$price_of" "$callback")" ]]; then
    echo amount_mismatch && return 1
  fi
  echo "$callback"
}

# state_after state callback
# A callback may repeat, so save its webhook-id under a unique key together with the new state; if it is
# already stored, respond 200 and do nothing else.
# On a "fail" with failureCode resolved_unpaid about a paid order: stop the shipment, check the order.
state_after() {
  case $(jq -r .event <<< "$2") in
    payment.result) # Paid stays paid: a late "fail" is about an earlier attempt.
      if [[ $1 == paid || $(jq -r .status <<< "$2") == success ]]; then echo paid; else echo failed; fi ;;
    refund.result) echo "$1" ;; # Save refundId, refundStatus and refundedTotal. It is not a payment.
    dispute.*) echo "$1" ;; # Save disputeId and disputeStatus; you can respond until respondBy.
    *) echo "$1" ;; # An event that you do not know: respond 200 and ignore it.
  esac
}
# endregion

# bash verify.sh [file]: reads {headers, body, secret, expectedAmount, now?, orderState?} from the file or from stdin.
set -euo pipefail
given=$(cat "${1:--}")
field() { jq -j "$1 // empty" <<< "$given"; }
expected_amount() { field .expectedAmount; }
body_file=$(mktemp)
trap 'rm -f "$body_file"' EXIT
field .body > "$body_file"
headers=()
for name in id timestamp signature; do headers+=("$(field ".headers[\"webhook-$name\"]")"); done
secrets=$(field .secret)
if ! said=$(verify_callback "$body_file" "${headers[@]}" "$secrets" expected_amount "$(field .now)"); then
  echo "refused $said"
  exit 1
fi
echo "ok $(jq -r .transactionId <<< "$said")"
if [[ -n $(field .orderState) ]]; then echo "order $(state_after "$(field .orderState)" "$said")"; fi
