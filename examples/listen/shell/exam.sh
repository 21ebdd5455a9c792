#!/usr/bin/env bash
# Runs the integration exam with a server on this machine. Needs bash, curl and jq.
# bash exam.sh http://localhost:4000, with PAZAR_BASE_URL, PAZAR_PROJECT_ID and PAZAR_TOKEN set.
exam=${PAZAR_BASE_URL%/}/portal/api/projects/$PAZAR_PROJECT_ID/exam
response=$(mktemp)
trap 'rm -f "$response"' EXIT
# curl reads headers from a file, because other users of the machine can see the arguments of a command.
token() { echo "authorization: Bearer $PAZAR_TOKEN"; }
headers_of() { jq -r '.headers | to_entries[] | "\(.key): \(.value)"' <<< "$1"; }
ask() { curl -sS --data @- -H @<(token) -H 'content-type: application/json' "$exam"; }

answer() { # Sends one request and prints the server's response as JSON.
  local status seconds error=connect
  : > "$response"
  read -r status seconds < <(jq -j .body <<< "$1" | curl -s -o "$response" --max-time 15 --data-binary @- \
    -H @<(headers_of "$1") -w '%{http_code} %{time_total}\n' "$2")
  if ((${seconds%.*} >= 15)); then error=timeout; fi
  head -c 1000 "$response" | jq -Rsc --arg name "$(jq -r .name <<< "$1")" --arg error $error \
    --argjson status "${status#00}" --argjson seconds "$seconds" \
    '{name: $name, statusCode: $status, durationMs: ($seconds * 1000 | floor), body: .}
      | if $status == 0 then . + {statusCode: null, error: $error} else . end'
}

requests=$(ask <<< '{"deliver":"caller"}')
if ! jq -e .requests <<< "$requests" > /dev/null; then echo "$requests" && exit 2; fi
report=$(jq -c '.requests[]' <<< "$requests" | while IFS= read -r one; do answer "$one" "$1"; done |
  jq -sc '{deliver: "caller", answers: .}' | ask)
if ! jq -e .scenarios <<< "$report" > /dev/null; then echo "$report" && exit 2; fi
jq -r '(.scenarios[] | if .passed then "ok   \(.title)"
    else "FAIL \(.title) \(.got) \(.answer // "") -> \(.fix)" end),
  "\(.passed) of \(.passed + .failed)"' <<< "$report"
[[ $(jq .failed <<< "$report") == 0 ]]
