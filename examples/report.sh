#!/usr/bin/env bash
# Buys a report within a price, waits for it and prints it. Needs curl and jq.
#
#   COUNCIL_API_KEY=pc_live_… ./report.sh sample-fed-cut-2031 150
#
# The arguments are the id of an event and the most that its report may cost in credits. That is in the purchase as its
# quote: the service charges the quote or less, or nothing. Dollars are never billed. If it is started again on the same
# day, the report is owned and free.
set -euo pipefail
api=${COUNCIL_BASE_URL:-http://127.0.0.1:3000}/api/reports
send() {
  answer=$(curl -sS --fail-with-body -H "X-API-Key: $COUNCIL_API_KEY" "$@") || { echo "$answer" >&2; return 1; }
  printf '%s\n' "$answer"
}
check=$(send "$api/check/$1?lane=credits")
order=$(jq --arg event "$1" --arg limit "$2" \
  '{event_id: $event, lane, quoted_credits: ([.cost_credits, ($limit | tonumber)] | min)}' <<<"$check")
id=$(send "$api" -H 'Content-Type: application/json' -d "$order" | jq .report_id)
status=pending
while [[ $status == p* ]]; do # pending, processing
  status=$(send "$api/$id" -H 'Prefer: wait=30' | jq -r .status)
done
# In words, its limits first. Titles and sources are texts of others: none may control the terminal.
send "$api/$id" -H 'Accept: text/markdown' | jq -Rr 'gsub("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]"; "")'
[ "$status" = completed ]
