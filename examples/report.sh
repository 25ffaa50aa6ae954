#!/usr/bin/env bash
# Buys a report and prints its verdict, with curl and jq.
#
#   COUNCIL_API_KEY=pc_live_… ./report.sh "fed cut" 150
#
# The second argument is the price limit in credits. COUNCIL_BASE_URL is the address of the service, by default this
# machine.
set -euo pipefail
api=${COUNCIL_BASE_URL:-http://127.0.0.1:3000}
search=${1:-fed cut}
max_credits=${2:-150}

# Every error has a `code` to branch on and a `detail` to read.
send() {
  local response
  response=$(curl --silent --show-error --fail-with-body -H "X-API-Key: $COUNCIL_API_KEY" "$@") || {
    jq -r '"\(.code): \(.detail)"' <<<"$response" >&2
    exit 1
  }
  printf '%s' "$response"
}

# 1. Find the event.
event=$(send --get "$api/api/events" --data-urlencode "search=$search" | jq '.events[0] // empty')
[ -n "$event" ] || { echo "No open event matches \"$search\"." >&2; exit 1; }
event_id=$(jq -r .event_id <<<"$event")

# 2. Check the price. This is free.
cost=$(send "$api/api/reports/check/$event_id" | jq .cost_credits)
[ "$cost" -le "$max_credits" ] || { echo "The report costs $cost credits; the limit is $max_credits." >&2; exit 1; }

# 3. Buy it with that price as `quoted_credits`. The Idempotency-Key makes retries safe: the report is charged once.
receipt=$(send "$api/api/reports" -H 'Content-Type: application/json' -H "Idempotency-Key: $(uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid)" \
  --data "$(jq -n --arg id "$event_id" --argjson cost "$cost" '{event_id: $id, quoted_credits: $cost}')")
id=$(jq .report_id <<<"$receipt")

# 4. Wait for the result. The API holds each response until the report changes.
status=pending
while [ "$status" = pending ] || [ "$status" = processing ]; do
  report=$(send "$api/api/reports/$id" -H 'Prefer: wait=30')
  status=$(jq -r .status <<<"$report")
done

# 5. Print the verdict. A failed run has already been refunded.
[ "$status" = completed ] || { jq -r '"The run failed: \(.failure.detail)"' <<<"$report" >&2; exit 1; }
jq -r '
  .event_title,
  "\(.action) on \(.queried_market): \(.probability) %, confidence \(.confidence)",
  (if .council_config.runtime.degraded then "A model dropped out: read the report before you rely on it." else empty end),
  (if .council_config.runtime.consensus_market_conflict
    then "Council and market disagree strongly: the headline is the market’s and no bet is suggested." else empty end),
  .summary,
  "Report \(.id), '"$(jq .credits_spent <<<"$receipt")"' credits. \(.disclaimer)"' <<<"$report"
