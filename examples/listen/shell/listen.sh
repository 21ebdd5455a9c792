#!/usr/bin/env bash
# Forwards every test callback of a project to a server on this machine, byte for byte.
# Needs bash, curl and jq.
# bash listen.sh http://localhost:4000, with PAZAR_BASE_URL, PAZAR_PROJECT_ID and PAZAR_TOKEN set.
events=${PAZAR_BASE_URL%/}/portal/api/projects/$PAZAR_PROJECT_ID/events
# curl reads headers from a file, because other users of the machine can see the arguments of a command.
token() { echo "authorization: Bearer $PAZAR_TOKEN"; }
headers_of() { jq -r '.headers | to_entries[] | "\(.key): \(.value)"' <<< "$1"; }

forward() {
  local id status seconds
  id=$(jq -r .id <<< "$1")
  read -r status seconds < <(jq -j .body <<< "$1" | curl -s -o /dev/null --max-time 15 --data-binary @- \
    -H @<(headers_of "$1") -w '%{http_code} %{time_total}\n' "$2")
  if [[ $status == 000 ]]; then status=null; fi
  echo "$id ${status/null/no answer from your shop}"
  # Lets the callback log show how your server responded. A read-only token may not do this.
  jq -nc "{callbackId: \"$id\", statusCode: $status, durationMs: ($seconds * 1000 | floor)}" |
    curl -s -o /dev/null --max-time 15 --data @- -H @<(token) \
      -H 'content-type: application/json' "$events/report"
}

last=none
while true; do
  id=$last
  while IFS= read -r line; do
    case $line in
      ': connected') echo 'Listening.' ;;
      'id: '*) id=${line#id: } ;;
      '') last=$id ;; # The event is complete, so a reconnect continues after it.
      'data: '*'"body":'*) forward "${line#data: }" "$1" ;; # Live callbacks have no body.
      *'"status":429'*) ;; # Too many open streams. The service may still count a broken one, so try again.
      *'"status":4'*) echo "$line" && exit 1 ;; # A wrong token or an unknown project.
    esac
    # The service sends a ping every 15 seconds, so 45 seconds without data mean a dead connection.
  done < <(curl -sN --speed-time 45 --speed-limit 1 -H @<(token) -H "last-event-id: $last" "$events" && echo)
  echo 'Connecting again.'
  sleep 2
done
