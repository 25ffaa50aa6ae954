"""Buys a report and prints its verdict. Needs Python 3.9 or later, no packages.

  COUNCIL_API_KEY=pc_live_... python3 report.py "fed cut" 150
  COUNCIL_API_KEY=pc_live_... python3 report.py "fed cut" 0 3.00 subscription

The arguments after the search are the price limit in credits, the price limit in dollars, which only a subscription
bills, and the lane: credits, subscription or byok. Without a lane, an account with a subscription uses it.
COUNCIL_BASE_URL is the address of the service, by default this machine.
"""

import json
import os
import re
import sys
import unicodedata
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
        if error.headers.get_content_type() != "application/problem+json":
            sys.exit(f"The service at {BASE_URL} answered with an error that it does not document.")
        problem = json.load(error)
        sys.exit(f"{problem['code']}: {problem['detail']}")
    except OSError:
        sys.exit(f"The service at {BASE_URL} cannot be reached.")


def show(text):
    """Prints a line. Titles, sources and answers are texts of others: none may control the terminal."""
    hidden = {"Cc", "Cf", "Zl", "Zp"}
    print("".join(char for char in text if char == "\n" or unicodedata.category(char) not in hidden))


def read_arguments(search="fed cut", max_credits="150", max_usd="0", lane=None):
    if not API_KEY:
        sys.exit("Set COUNCIL_API_KEY to an API key of the service (pc_live_...).")
    if not re.fullmatch(r"[0-9]{1,6}", max_credits):
        sys.exit(f'The limit in credits must be a whole number, not "{max_credits}".')
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,2})?", max_usd):
        sys.exit(f'The limit in dollars must be an amount like 3 or 3.00, not "{max_usd}".')
    return search, int(max_credits), round(float(max_usd) * 100), lane


def usd(cents):
    return f"{cents / 100:.2f} USD"


def percent(probabilities, outcome):
    value = probabilities.get(outcome)
    return "none" if value is None else f"{value} %"


def describe_charge(receipt):
    if receipt.get("price_usd_cents"):
        return f"{usd(receipt['price_usd_cents'])}, billed to the subscription"
    if receipt["credits_spent"]:
        return f"{receipt['credits_spent']} credits ({receipt['pool']})"
    return "owned already: nothing was charged"


def main():
    search, max_credits, max_usd_cents, lane = read_arguments(*sys.argv[1:5])

    # 1. Find the event.
    events = send("/api/events?" + urllib.parse.urlencode({"search": search}))["events"]
    if not events:
        sys.exit(f'No open event matches "{search}".')
    event = events[0]

    # 2. Check the price. This is free. A subscription costs no credits: it bills `price_usd_cents`.
    query = "" if lane is None else "?" + urllib.parse.urlencode({"lane": lane})
    check = send("/api/reports/check/" + urllib.parse.quote(event["event_id"], safe="") + query)
    cost, usd_cents = check["cost_credits"], check.get("price_usd_cents", 0)
    if cost > max_credits:
        sys.exit(f"The report costs {cost} credits; the limit is {max_credits}.")
    if usd_cents > max_usd_cents:
        sys.exit(
            f"The report costs {usd(usd_cents)} on the subscription; the limit is {usd(max_usd_cents)}. "
            'The lane "credits" pays with credits.'
        )

    # 3. Buy it on the checked lane, with the checked price as quote: it never costs more. The Idempotency-Key makes
    # retries safe: the report is charged once.
    receipt = send(
        "/api/reports",
        {
            "event_id": event["event_id"],
            "lane": check["lane"],
            "quoted_credits": cost,
            "quoted_usd_cents": usd_cents,
        },
        {"Idempotency-Key": str(uuid.uuid4())},
    )

    # 4. Wait for the result. The API holds each response until the report changes.
    report = {"status": "pending"}
    while report["status"] in ("pending", "processing"):
        report = send(f"/api/reports/{receipt['report_id']}", headers={"Prefer": "wait=30"})

    # 5. Print the most likely outcome and the verdict, each with the estimate first (bets are priced by it), what would
    # change the forecast, and the sources that members cite. A failed run costs nothing: what was taken is given back, and a subscription is not billed.
    if report["status"] == "failed":
        sys.exit(f"The run failed: {report['failure']['detail']}")
    runtime = report["council_config"]["runtime"]
    show(event["title"])
    council = runtime["market_probabilities"]
    estimate = (runtime["estimate"] or {"probabilities": {}})["probabilities"]
    # Without an estimate of an outcome, the council's number stands for it.
    leading = {name: estimate.get(name) if estimate.get(name) is not None else value for name, value in council.items()}
    outcome = max(leading, key=leading.get)
    show(
        f"{outcome}: estimate {percent(estimate, outcome)} "
        f"(council, without seeing a price: {percent(council, outcome)}; "
        f"market: {percent(runtime['market_implied_probabilities'], outcome)})"
    )
    number = (
        f"no estimate without a firm price, probability {report['probability']} %"
        if report["estimate"] is None
        else f"estimate {report['estimate']} %"
    )
    show(f"{report['action']} on {report['queried_market']}: {number} for YES, confidence {report['confidence']}")
    if runtime["degraded"]:
        show("A model dropped out: read the report before you rely on it.")
    if runtime["consensus_market_conflict"]:
        show(
            "Council and market disagree strongly: the estimate weighs both, and no bet is suggested."
        )
    # None: the members did not search.
    evidence = report["deliberation"]["evidence"] or {"status": None, "items": []}
    if evidence["status"] == "none":
        show("The members found no source: they answered from what they remember.")
    show(report["summary"])
    # None: the chairman's answer is missing. Reports of 1.0.0 have no triggers.
    for trigger in (report["deliberation"]["synthesis"] or {"triggers": []})["triggers"]:
        likely = "More" if trigger["direction"] == "up" else "Less"
        show(f"{likely} likely ({runtime['subject']}) if by {trigger['by']}: {trigger['if']}")
    for source in evidence["items"]:
        show(
            f"{source['id']} {source['domain']}, {source['published_at'] or 'undated'}: "
            f"{source['title'] or 'untitled'} {source['url']}"
        )
    show(f"Report {receipt['report_id']}, {describe_charge(receipt)}. {report['disclaimer']}")


main()
