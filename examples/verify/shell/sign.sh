#!/usr/bin/env bash
# Writes a signed pay link.
# region
# Needs bash, openssl and jq.

# To print a link, add this at the end and run: bash sign.sh
# pay_url 'https://pay.example.me' 'YOUR_PROJECT_ID' '1500' 'Espresso' 'order-7' '' "$PAZAR_SECRET"

# pay_url base_url project_id amount data custom_id exp secret
#   amount: in cents. data: your own text. custom_id, exp (Unix seconds): empty when the link has none.
pay_url() {
  local mode=live message value
  [[ $7 == sk_test_* ]] && mode=test
  message=$(for value in paylink.v1 "$mode" "$2" "$3" "$4"; do netstring "$value"; done)
  for value in "$5" "$6"; do
    if [[ -n $value ]]; then message+=$(netstring "$value"); else message+=-,; fi
  done
  # Every link has data, even if it is empty.
  printf '%s/pay?amount=%s&project=%s&data=%s' "$1" "$(encode "$3")" "$(encode "$2")" "$(encode "$4")"
  [[ -n $5 ]] && printf '&customId=%s' "$(encode "$5")"
  [[ $mode == test ]] && printf '&mode=test'
  [[ -n $6 ]] && printf '&exp=%s' "$(encode "$6")"
  printf '&sig=%s\n' "$(printf %s "$message" | mac "$7" | tr '+/' '-_' | tr -d '=')"
}

# The length prefix keeps each value separate from the next one.
netstring() { printf '%d:%s,' "$(printf %s "$1" | wc -c)" "$1"; }

encode() { jq -rn --arg value "$1" '$value | @uri'; }

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

# bash sign.sh baseUrl projectId amount data [customId] [exp], with PAZAR_SECRET in the environment.
set -uo pipefail
pay_url "$1" "$2" "$3" "$4" "${5:-}" "${6:-}" "$PAZAR_SECRET"
