#!/usr/bin/env bash
# Has a report made and prints its verdict, with curl and jq.
#
#   COUNCIL_API_KEY=pc_live_… ./report.sh "fed cut" 150
#
# The second argument is the most that you are willing to pay, in credits. COUNCIL_BASE_URL says where the service is,
# unless it is on this machine.
set -euo pipefail
api=${COUNCIL_BASE_URL:-http://127.0.0.1:3000}
search=${1:-fed cut}
max_credits=${2:-150}

# Every error has a `code` to branch on and a `detail` to read.
ask() {
  local answer
  answer=$(curl --silent --show-error --fail-with-body -H "X-API-Key: $COUNCIL_API_KEY" "$@") || {
    jq -r '"\(.code): \(.detail)"' <<<"$answer" >&2
    exit 1
  }
  printf '%s' "$answer"
}

# 1. Find the event.
event=$(ask --get "$api/api/events" --data-urlencode "search=$search" | jq '.events[0] // empty')
[ -n "$event" ] || { echo "Nothing open matches \"$search\"." >&2; exit 1; }
event_id=$(jq -r .event_id <<<"$event")

# 2. What would it cost? Asking spends nothing.
cost=$(ask "$api/api/reports/check/$event_id" | jq .cost_credits)
[ "$cost" -le "$max_credits" ] || { echo "It costs $cost credits; you allow $max_credits." >&2; exit 1; }

# 3. Buy at that price. The key makes the request safe to repeat: it is charged once.
receipt=$(ask "$api/api/reports" -H 'Content-Type: application/json' -H "Idempotency-Key: $(uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid)" \
  --data "$(jq -n --arg id "$event_id" --argjson cost "$cost" '{event_id: $id, quoted_credits: $cost}')")
id=$(jq .report_id <<<"$receipt")

# 4. Wait for the end. Each answer is held until something has changed.
status=pending
while [ "$status" = pending ] || [ "$status" = processing ]; do
  report=$(ask "$api/api/reports/$id" -H 'Prefer: wait=30')
  status=$(jq -r .status <<<"$report")
done

# 5. Read it. What was charged for a failed run has been given back already.
[ "$status" = completed ] || { jq -r '"The run failed: \(.failure.detail)"' <<<"$report" >&2; exit 1; }
jq -r '
  .event_title,
  "\(.action) on \(.queried_market): \(.probability) %, confidence \(.confidence)",
  (if .council_config.runtime.degraded then "A model was lost on the way: read the report before you rely on it." else empty end),
  (if .council_config.runtime.consensus_market_conflict
    then "Council and market disagree so much that the market leads, and no bet is named." else empty end),
  .summary,
  "Report \(.id), '"$(jq .credits_spent <<<"$receipt")"' credits. \(.disclaimer)"' <<<"$report"
