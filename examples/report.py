"""Buys a report and prints its verdict. Needs Python 3.9 or later, no packages.

  COUNCIL_API_KEY=pc_live_... python3 report.py "fed cut" 150

The second argument is the price limit in credits. COUNCIL_BASE_URL is the address of the service, by default this machine.
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


def send(path, body=None, headers=None):
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
    events = send("/api/events?" + urllib.parse.urlencode({"search": search}))["events"]
    if not events:
        sys.exit(f'No open event matches "{search}".')
    event = events[0]

    # 2. Check the price. This is free.
    cost = send("/api/reports/check/" + urllib.parse.quote(event["event_id"], safe=""))["cost_credits"]
    if cost > max_credits:
        sys.exit(f"The report costs {cost} credits; the limit is {max_credits}.")

    # 3. Buy it with that price as `quoted_credits`. The Idempotency-Key makes retries safe: the report is charged once.
    receipt = send(
        "/api/reports",
        {"event_id": event["event_id"], "quoted_credits": cost},
        {"Idempotency-Key": str(uuid.uuid4())},
    )

    # 4. Wait for the result. The API holds each response until the report changes.
    report = {"status": "pending"}
    while report["status"] in ("pending", "processing"):
        report = send(f"/api/reports/{receipt['report_id']}", headers={"Prefer": "wait=30"})

    # 5. Print the verdict. A failed run has already been refunded.
    if report["status"] == "failed":
        sys.exit(f"The run failed: {report['failure']['detail']}")
    runtime = report["council_config"]["runtime"]
    print(event["title"])
    print(
        f"{report['action']} on {report['queried_market']}: "
        f"{report['probability']} %, confidence {report['confidence']}"
    )
    if runtime["degraded"]:
        print("A model dropped out: read the report before you rely on it.")
    if runtime["consensus_market_conflict"]:
        print("Council and market disagree strongly: the headline is the market's and no bet is suggested.")
    print(report["summary"])
    print(f"Report {receipt['report_id']}, {receipt['credits_spent']} credits. {report['disclaimer']}")


main()
