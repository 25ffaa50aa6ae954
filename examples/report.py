"""Has a report made and prints its verdict. Nothing is needed but Python 3.9 or later.

  COUNCIL_API_KEY=pc_live_... python3 report.py "fed cut" 150

The second argument is the most that you are willing to pay, in credits. COUNCIL_BASE_URL says where the service is, unless
it is on this machine.
"""

import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid

BASE_URL = os.environ.get("COUNCIL_BASE_URL", "http://127.0.0.1:3000")
API_KEY = os.environ.get("COUNCIL_API_KEY", "")


def ask(path, body=None, headers=None):
    request = urllib.request.Request(
        BASE_URL + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={"X-API-Key": API_KEY, "Content-Type": "application/json", **(headers or {})},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        # Every error has a `code` to branch on and a `detail` to read.
        problem = json.load(error)
        sys.exit(f"{problem['code']}: {problem['detail']}")


def main():
    search = sys.argv[1] if len(sys.argv) > 1 else "fed cut"
    max_credits = int(sys.argv[2]) if len(sys.argv) > 2 else 150

    # 1. Find the event.
    events = ask("/api/events?" + urllib.parse.urlencode({"search": search}))["events"]
    if not events:
        sys.exit(f'Nothing open matches "{search}".')
    event = events[0]

    # 2. What would it cost? Asking spends nothing.
    cost = ask("/api/reports/check/" + urllib.parse.quote(event["event_id"], safe=""))["cost_credits"]
    if cost > max_credits:
        sys.exit(f"It costs {cost} credits; you allow {max_credits}.")

    # 3. Buy at that price. The key makes the request safe to repeat: it is charged once.
    receipt = ask(
        "/api/reports",
        {"event_id": event["event_id"], "quoted_credits": cost},
        {"Idempotency-Key": str(uuid.uuid4())},
    )

    # 4. Wait for the end. Each answer is held until something has changed.
    report = {"status": "pending"}
    while report["status"] in ("pending", "processing"):
        report = ask(f"/api/reports/{receipt['report_id']}", headers={"Prefer": "wait=30"})

    # 5. Read it. What was charged for a failed run has been given back already.
    if report["status"] == "failed":
        sys.exit(f"The run failed: {report['failure']['detail']}")
    runtime = report["council_config"]["runtime"]
    print(event["title"])
    print(
        f"{report['action']} on {report['queried_market']}: "
        f"{report['probability']} %, confidence {report['confidence']}"
    )
    if runtime["degraded"]:
        print("A model was lost on the way: read the report before you rely on it.")
    if runtime["consensus_market_conflict"]:
        print("Council and market disagree so much that the market leads, and no bet is named.")
    print(report["summary"])
    print(f"Report {receipt['report_id']}, {receipt['credits_spent']} credits. {report['disclaimer']}")


main()
