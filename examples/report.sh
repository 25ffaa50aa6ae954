#!/usr/bin/env bash
# Buys a report and prints its verdict, with curl and jq.
#
#   COUNCIL_API_KEY=pc_live_… ./report.sh "fed cut" 150
#   COUNCIL_API_KEY=pc_live_… ./report.sh "fed cut" 0 3.00 subscription
#
# The arguments after the search are the price limit in credits, the price limit in dollars, which only a subscription
# bills, and the lane: credits, subscription or byok. Without a lane, an account with a subscription uses it.
# COUNCIL_BASE_URL is the address of the service, by default this machine.
set -euo pipefail
api=${COUNCIL_BASE_URL:-http://127.0.0.1:3000}
search=${1:-fed cut}
max_credits=${2:-150}
max_usd=${3:-0}
lane=${4:-}

refuse() {
  printf '%s\n' "$1" >&2
  exit 1
}

[ -n "${COUNCIL_API_KEY:-}" ] || refuse 'Set COUNCIL_API_KEY to an API key of the service (pc_live_…).'
[[ $max_credits =~ ^[0-9]{1,6}$ ]] || refuse "The limit in credits must be a whole number, not \"$max_credits\"."
[[ $max_usd =~ ^[0-9]{1,4}(\.[0-9]{1,2})?$ ]] || refuse "The limit in dollars must be an amount like 3 or 3.00, not \"$max_usd\"."
max_usd_cents=$(jq -n --arg usd "$max_usd" '$usd | tonumber * 100 | round')

# Every error has a `code` to branch on and a `detail` to read.
send() {
  local response
  response=$(curl --silent --fail-with-body -H "X-API-Key: $COUNCIL_API_KEY" "$@") || {
    [ -n "$response" ] || refuse "The service at $api cannot be reached."
    refuse "$(jq -r '"\(.code): \(.detail)"' <<<"$response" 2>/dev/null || echo "The service at $api answered with an error that it does not document.")"
  }
  printf '%s' "$response"
}

# 1. Find the event.
event=$(send --get "$api/api/events" --data-urlencode "search=$search" | jq '.events[0] // empty')
[ -n "$event" ] || refuse "No open event matches \"$search\"."
event_id=$(jq -r .event_id <<<"$event")

# 2. Check the price. This is free. A subscription costs no credits: it bills `price_usd_cents`.
check=$(send --get "$api/api/reports/check/$event_id" ${lane:+--data-urlencode "lane=$lane"})
cost=$(jq .cost_credits <<<"$check")
usd_cents=$(jq '.price_usd_cents // 0' <<<"$check")
usd() { printf '%d.%02d USD' "$(($1 / 100))" "$(($1 % 100))"; }
[ "$cost" -le "$max_credits" ] || refuse "The report costs $cost credits; the limit is $max_credits."
[ "$usd_cents" -le "$max_usd_cents" ] ||
  refuse "The report costs $(usd "$usd_cents") on the subscription; the limit is $(usd "$max_usd_cents"). The lane \"credits\" pays with credits."

# 3. Buy it on the checked lane, with the checked price as quote: it never costs more. The Idempotency-Key makes retries
# safe: the report is charged once.
purchase=$(jq --arg id "$event_id" \
  '{event_id: $id, lane, quoted_credits: .cost_credits, quoted_usd_cents: (.price_usd_cents // 0)}' <<<"$check")
receipt=$(send "$api/api/reports" -H 'Content-Type: application/json' --data "$purchase" \
  -H "Idempotency-Key: $(uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid)")
id=$(jq .report_id <<<"$receipt")
charge=$(jq -r --arg usd "$(usd "$(jq '.price_usd_cents // 0' <<<"$receipt")")" '
  if (.price_usd_cents // 0) > 0 then "\($usd), billed to the subscription"
  elif .credits_spent > 0 then "\(.credits_spent) credits (\(.pool))"
  else "owned already: nothing was charged" end' <<<"$receipt")

# 4. Wait for the result. The API holds each response until the report changes.
status=pending
while [ "$status" = pending ] || [ "$status" = processing ]; do
  report=$(send "$api/api/reports/$id" -H 'Prefer: wait=30')
  status=$(jq -r .status <<<"$report")
done

# 5. Print the most likely outcome and the verdict, each with the estimate first (bets are priced by it; without one, the
# council's number stands for it), what would change the forecast, and the sources that members cite. A failed run costs
# nothing: what was taken is given back, and a subscription is not billed. Titles, sources and answers are texts of
# others: none may control the terminal.
[ "$status" = completed ] || refuse "$(jq -r '"The run failed: \(.failure.detail)"' <<<"$report")"
jq -r --arg charge "$charge" '
  (.event_title,
  (.council_config.runtime | . as $runtime
    | (.market_probabilities | to_entries | max_by($runtime.estimate.probabilities[.key] // .value) | .key) as $outcome
    | def percent: if . == null then "none" else "\(.) %" end;
    "\($outcome): estimate \(.estimate.probabilities[$outcome] | percent) (council, without seeing a price: \(.market_probabilities[$outcome] | percent); market: \(.market_implied_probabilities[$outcome] | percent))"),
  "\(.action) on \(.queried_market): \(if .estimate == null then "no estimate without a firm price, probability \(.probability) %" else "estimate \(.estimate) %" end) for YES, confidence \(.confidence)",
  (if .council_config.runtime.degraded then "A model dropped out: read the report before you rely on it." else empty end),
  (if .council_config.runtime.consensus_market_conflict
    then "Council and market disagree strongly: the estimate weighs both, and no bet is suggested." else empty end),
  (if .deliberation.evidence.status == "none"
    then "The members found no source: they answered from what they remember." else empty end),
  .summary,
  (.council_config.runtime.subject as $subject | .deliberation.synthesis.triggers // [] | .[]
    | "\(if .direction == "up" then "More" else "Less" end) likely (\($subject)) if by \(.by): \(.if)"),
  (.deliberation.evidence.items // [] | .[]
    | "\(.id) \(.domain), \(.published_at // "undated"): \(.title // "untitled") \(.url)"),
  "Report \(.id), \($charge). \(.disclaimer)") | gsub("(?!\n)[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]"; "")' <<<"$report"
