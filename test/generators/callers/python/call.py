"""Buys a report with the client that openapi-python-client generated. Prints what the client read, as JSON."""

import json
import os
import time

import httpx
from council_client import AuthenticatedClient
from council_client.api.events import search_events
from council_client.api.reports import check_report, create_report, get_report
from council_client.models import Check, EventList, Problem, ProblemCode, Purchase, Receipt, Report, ReportStatus

client = AuthenticatedClient(
    base_url=os.environ["API_URL"],
    token=os.environ["API_KEY"],
    prefix="",
    auth_header_name="X-API-Key",
    timeout=httpx.Timeout(60),
    raise_on_unexpected_status=True,
)
event_id = os.environ["EVENT_ID"]


def expect(kind, value):
    """The value, if the client has read it as this type."""
    if not isinstance(value, kind):
        raise TypeError(f"the client has read {value!r}, not a {kind.__name__}")
    return value


def buy(order):
    """A busy service refuses a purchase for some seconds and charges nothing."""
    for _ in range(60):
        answer = create_report.sync(client=client, body=order)
        if not isinstance(answer, Problem) or answer.code is not ProblemCode.UNAVAILABLE:
            return answer
        time.sleep(2)
    raise TimeoutError(f"still refused: {answer.detail}")


def read_finished(report_id):
    while True:
        report = expect(Report, get_report.sync(report_id, client=client, prefer="wait=20"))
        if report.status not in (ReportStatus.PENDING, ReportStatus.PROCESSING):
            return report


def missing_credits(problem):
    return problem.cost_credits - problem.balance_credits


events = expect(EventList, search_events.sync(client=client, per_page=100)).events
check = expect(Check, check_report.sync(event_id, client=client))
order = Purchase(event_id=event_id, quoted_credits=check.cost_credits, lane=check.lane)
receipt = expect(Receipt, buy(order))
report = read_finished(receipt.report_id)
unknown = expect(Problem, get_report.sync(999_999_999, client=client))
unpaid = expect(Problem, buy(Purchase(event_id=os.environ["UNPAID_EVENT_ID"])))

print(
    json.dumps(
        {
            "event_ids": [event.event_id for event in events],
            "sides": events[0].markets[0].outcomes,
            "cost_credits": check.cost_credits,
            "pool": receipt.pool.value,
            "report_id": receipt.report_id,
            "status": report.status.value,
            "action": report.action.value,
            "probability": report.probability,
            "chairman": report.council_config.runtime.chairman.value,
            "evidence_status": report.council_config.runtime.evidence.status.value,
            "sources": [f"{source.id} {source.domain}" for source in report.deliberation.evidence.items],
            "cited": [
                source for opinion in report.deliberation.opinions for fact in opinion.evidence for source in fact.sources
            ],
            "unknown_is_not_found": unknown.code is ProblemCode.NOT_FOUND,
            "unpaid_is_insufficient_credits": unpaid.code is ProblemCode.INSUFFICIENT_CREDITS,
            "missing_credits": missing_credits(unpaid),
        }
    )
)
