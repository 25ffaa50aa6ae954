"""Buys a report within a price, waits for it and prints it, with the client that openapi-python-client generates.

  pip install openapi-python-client httpx
  openapi-python-client generate --url http://127.0.0.1:3000/openapi.json --meta none --output-path council_client
  COUNCIL_API_KEY=pc_live_... python3 report.py sample-fed-cut-2031 150

The arguments are the id of an event and the most that its report may cost in credits. That is in the purchase as its
quote: the service charges the quote or less, or nothing. Dollars are never billed. If it is started again on the same
day, the report is owned and free.
"""

import os
import sys

from council_client import AuthenticatedClient
from council_client.api.reports import check_report, create_report, get_report
from council_client.models import Lane, Problem, Purchase
from httpx import Timeout


def read(answer):
    return sys.exit(f"{answer.code}: {answer.detail}") if isinstance(answer, Problem) else answer


(event, limit), lane = sys.argv[1:], Lane.CREDITS
url, key = os.environ.get("COUNCIL_BASE_URL", "http://127.0.0.1:3000"), os.environ["COUNCIL_API_KEY"]
client = AuthenticatedClient(url, key, prefix="", auth_header_name="X-API-Key", timeout=Timeout(60))
price = read(check_report.sync(event, client=client, lane=lane)).cost_credits
order = Purchase(event, lane=lane, quoted_credits=min(price, int(limit)))
report_id, status = read(create_report.sync(client=client, body=order)).report_id, "pending"
while status in ("pending", "processing"):
    status = read(get_report.sync(report_id, client=client, prefer="wait=30")).status
in_words = {"Accept": "text/markdown"}  # its limits first
text = client.get_httpx_client().get(f"/api/reports/{report_id}", headers=in_words).text
# Titles and sources are texts of others: none may control the terminal.
print("".join(char for char in text if char == "\n" or char.isprintable()))
sys.exit(status != "completed")
