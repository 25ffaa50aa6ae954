"""Verifies the public record of a Council Report Service. Needs Python 3.9 or later, no packages, no account.

  python3 verify-record.py https://council.example
  python3 verify-record.py https://council.example council-record-head.json
  python3 verify-record.py https://council.example council-record-head.json report.json ...

Every completed report has an entry in a chain of hashes. This program reads the whole chain, computes every hash and
every commitment again, and compares the chain with the published counts, graded reports and time stamps. It keeps the
newest hash in a file, the second argument, and compares the chain with it the next time: someone who rewrites the whole
chain with correct hashes cannot change what you have kept. Without arguments it reads COUNCIL_BASE_URL, or the service
on this machine, and keeps the head in council-record-head.json in the working directory.

Further arguments are files with reports, as GET /api/reports/<id> sends them. Each is compared with its entry: the
numbers, and the SHA-256 of the evidence that the report shows. The chain itself has only that hash. The sample report of
a service with simulated models is compared without being asked for.

It prints what it checked. The exit code is 0 if everything is right, and 1 if anything is wrong or cannot be read.
"""

import base64
import hashlib
import json
import os
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

PAGE_SIZE = 100
TRIES = 5
FAULTS_PRINTED = 20
GENESIS_HASH = "0" * 64
RECORD = "/api/stats/track-record"
# What grading adds to a forecast. Everything else in a graded report must be as it was recorded.
ADDED_TO_OUTCOMES = {"happened"}
ADDED_TO_BETS = {"won", "return_per_dollar"}
RECORDED_FIELDS = {
    "event_id",
    "event_title",
    "method",
    "completed_at",
    "prices_at",
    "exclusive",
    "action",
    "queried_market",
    "headline",
    "estimate_weights",
    "evidence",
}


class Service:
    """The public API of one service."""

    def __init__(self, base_url):
        self.base_url = base_url.rstrip("/")

    def read(self, path, or_none=False, **parameters):
        query = "?" + urllib.parse.urlencode(parameters) if parameters else ""
        # A cache on the way could hide that an old entry has changed.
        request = urllib.request.Request(self.base_url + path + query, headers={"Cache-Control": "no-cache"})
        for attempt in range(1, TRIES + 1):
            try:
                with urllib.request.urlopen(request, timeout=60) as response:
                    return json.load(response)
            except urllib.error.HTTPError as error:
                if or_none and error.code == 404:
                    return None
                if error.code not in (429, 503) or attempt == TRIES:
                    sys.exit(f"{self.base_url}{path} answers {error.code}: the record cannot be verified.")
                time.sleep(min(60, int(error.headers.get("Retry-After") or 5)))
            except OSError:
                sys.exit(f"The service at {self.base_url} cannot be reached.")
            except ValueError:
                sys.exit(f"{self.base_url}{path} does not answer with JSON: the record cannot be verified.")

    def pages(self, path, name, position):
        """The items of a list, one after the other, by their field `position`."""
        after = 0
        while True:
            items = self.read(path, after=after, limit=PAGE_SIZE)[name]
            yield from items
            if len(items) < PAGE_SIZE:
                return
            if items[-1][position] <= after:
                sys.exit(f"{self.base_url}{path} repeats a page: the record cannot be verified.")
            after = items[-1][position]


class Chain:
    """Checks the entries one by one, in the order in which the service lists them."""

    def __init__(self, rows, asked):
        self.faults = []
        # The hash of each entry by its number, and which entries of forecasts are of simulated models.
        self.hashes = {}
        self.simulated = {}
        self.length = 0
        self.head = GENESIS_HASH
        self.reports = set()
        self.opened = 0
        self.hidden = []
        # The graded reports that no entry has confirmed yet, by report id.
        self.rows = rows
        self.rows_compared = 0
        # The numbers and forecasts of the reports that were asked for, by report id.
        self.asked = asked
        self.forecasts = {}

    def add(self, entry):
        number = entry["number"]
        if number != self.length + 1:
            self.fault(f"entry {self.length + 1} is left out: entry {number} comes next")
        if entry["previous_hash"] != self.head:
            self.fault(f"entry {number} does not follow the one before it: one was changed, added or left out there")
        self.check_hash(entry)
        if entry["kind"] == "completed":
            self.simulated[number] = entry["simulated"]
            if entry["payload"] is None:
                self.hidden.append(entry)
            else:
                self.opened += 1
                self.check_forecast(entry)
        self.length, self.head = number, entry["hash"]
        self.hashes[number] = entry["hash"]

    def check_hash(self, entry):
        number, version, payload, salt = entry["number"], entry["version"], entry["payload"], entry["salt"]
        if version in (1, 2):
            lines = [f"record-entry/{version}", str(number), entry["time"], label(entry["simulated"])]
            if version == 2:
                lines[2:3] = [entry["kind"], str(entry["sale"] or "-"), entry["time"], str(entry["opens_by"])]
            lines += [entry["previous_hash"], str(entry["commitment"])]
            if sha256("\n".join(lines).encode()) != entry["hash"]:
                self.fault(f"entry {number} does not have the hash of its content: it was changed")
            if payload is not None and sha256(from_hex(salt), payload.encode()) != entry["commitment"]:
                self.fault(f"entry {number} shows another forecast than the one it committed to")
        else:
            self.fault(f"entry {number} has version {version}, which this program does not know: get a newer one")

    def check_forecast(self, entry):
        number = entry["number"]
        try:
            forecast = json.loads(entry["payload"])
            report_id, simulated = forecast["report_id"], forecast.get("simulated", entry["simulated"])
        except (ValueError, KeyError, TypeError, AttributeError):
            return self.fault(f"entry {number} has a forecast that cannot be read")
        if report_id in self.reports:
            self.fault(f"entry {number} is the second one of report {report_id}")
        self.reports.add(report_id)
        if simulated != entry["simulated"]:
            self.fault(f"entry {number} is labelled as {label(entry['simulated'])}; its forecast is {label(simulated)}")
        if report_id in self.asked:
            self.forecasts[report_id] = (number, forecast)
        row = self.rows.pop(report_id, None)
        if row is not None:
            self.rows_compared += 1
            for field in differences(row, forecast):
                self.fault(f"the graded report {report_id} has another {field} than entry {number} of the chain")

    def fault(self, text):
        self.faults.append(text)


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).hexdigest()


def from_hex(text):
    try:
        return bytes.fromhex(text)
    except (TypeError, ValueError):
        return b""


def label(simulated):
    return "simulated" if simulated else "live"


def differences(row, forecast):
    """The fields of a graded report that are not as they were recorded."""
    fields = RECORDED_FIELDS | (set(row) & set(forecast) - {"outcomes", "bets"})
    found = [field for field in sorted(fields) if row.get(field) != forecast.get(field)]
    if row["models"] != forecast["model_ids"]:
        found.append("models")
    for name, added in (("outcomes", ADDED_TO_OUTCOMES), ("bets", ADDED_TO_BETS)):
        recorded = forecast[name]
        same = len(recorded) == len(row[name]) and all(
            all(value == then.get(field) for field, value in now.items() if field not in added)
            for now, then in zip(row[name], recorded)
        )
        if not same:
            found.append(name)
    return found


def check_published(chain, record):
    """The head and the counts of the track record, which the service read at one instant."""
    entries, head, simulated = record["record"]["entries"], record["record"]["head"], record["simulated"]
    if chain.length < entries:
        chain.fault(f"the track record has {entries} entries, but the chain ends with entry {chain.length}")
    elif entries > 0 and chain.hashes.get(entries) != head:
        chain.fault(f"the head of the track record is not the hash of entry {entries}")
    completed = record["counts"]["completed"]
    recorded = sum(number <= entries and each == simulated for number, each in chain.simulated.items())
    if completed != recorded:
        chain.fault(
            f"{completed} {label(simulated)} reports are completed, but {recorded} are in the chain: "
            + ("a report was left out" if completed > recorded else "an entry was added")
        )


def check_rows(chain):
    for report_id in sorted(chain.rows):
        chain.fault(f"report {report_id} is graded, but no entry of the chain shows its forecast")


def check_reports(chain, reports):
    """Reports as their owners see them. @returns how many could be compared with a forecast that is public"""
    opened = 0
    for report in reports:
        report_id, entry, runtime = report["id"], report["record"], report["council_config"]["runtime"]
        evidence, summary = report["deliberation"]["evidence"], runtime["evidence"]
        if summary_of(evidence) != summary:
            chain.fault(f"report {report_id} shows other evidence than the one whose hash it names")
        if entry is not None and chain.hashes.get(entry["seq"]) != entry["hash"]:
            chain.fault(f"report {report_id} names another hash for entry {entry['seq']} than the chain")
        if report_id not in chain.forecasts:
            continue
        opened += 1
        number, forecast = chain.forecasts[report_id]
        of_report = {
            "action": report["action"],
            "evidence": summary,
            "council": runtime["market_probabilities"],
            "market": runtime["market_implied_probabilities"],
        }
        of_entry = {
            "action": forecast["action"],
            "evidence": forecast["evidence"],
            "council": {outcome["name"]: outcome["council"] for outcome in forecast["outcomes"]},
            "market": {outcome["name"]: outcome["market"] for outcome in forecast["outcomes"]},
        }
        for field, value in of_report.items():
            if value != of_entry[field]:
                chain.fault(f"report {report_id} has another {field} than entry {number} of the chain")
    return opened


def summary_of(evidence):
    if evidence is None:
        return None
    # As JavaScript writes JSON: no spaces, and half a surrogate pair, which UTF-8 cannot hold, as an escape.
    text = json.dumps(evidence, ensure_ascii=False, separators=(",", ":"))
    text = re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)
    return {"status": evidence["status"], "items": len(evidence["items"]), "sha256": sha256(text.encode())}


def read_reports(paths, sample):
    reports = [] if sample is None else [sample]
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                reports.append(json.load(file))
        except (OSError, ValueError):
            sys.exit(f"{path} cannot be read as JSON: name files with reports.")
    if any(report.get("status") != "completed" for report in reports):
        sys.exit("A file does not hold a completed report: save what GET /api/reports/<id> sends.")
    return reports


def check_timestamps(chain, receipts):
    for receipt in receipts:
        number, signed = receipt["number"], receipt["hash"]
        if chain.hashes.get(number) != signed:
            chain.fault(f"the time stamp of {receipt['time']} is of another entry {number}: the chain was rewritten")
        elif from_hex(signed) not in base64.b64decode(receipt["token"]):
            chain.fault(f"the token of {receipt['time']} does not contain the hash of entry {number}")


def read_kept(path, base_url):
    """The head of an earlier run; None in the first one."""
    try:
        with open(path, encoding="utf-8") as file:
            kept = json.load(file)
        if kept["base_url"] != base_url:
            sys.exit(f"{path} keeps the head of {kept['base_url']}: name another file for {base_url}.")
        return {"entries": int(kept["entries"]), "head": str(kept["head"]), "at": str(kept["at"])}
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        sys.exit(f"{path} is not a file that this program has written: name another one.")


def check_kept(chain, kept):
    entries = kept["entries"]
    if entries > chain.length:
        chain.fault(f"the chain had {entries} entries on {kept['at']}, and ends with entry {chain.length} now")
    elif entries > 0 and chain.hashes.get(entries) != kept["head"]:
        chain.fault(f"history was rewritten: entry {entries} had another hash on {kept['at']}")


def keep(path, base_url, chain):
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    # Written beside and moved, so that an interruption loses no head.
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump({"base_url": base_url, "entries": chain.length, "head": chain.head, "at": at}, file)
    os.replace(path + ".new", path)


def describe(chain, record, receipts, kept, reports, opened):
    print(f"{chain.length} entries: numbers, links and hashes are right.")
    print(f"{chain.opened} forecasts of closed events fit what they committed to.")
    if chain.hidden:
        oldest = chain.hidden[0]
        print(
            f"{len(chain.hidden)} forecasts are hidden while their events are open, "
            f"the oldest since {oldest['time']} (entry {oldest['number']})."
        )
    print(f"{chain.rows_compared} graded reports are in the chain with the same numbers.")
    print(f"{record['counts']['completed']} reports are completed, {label(record['simulated'])}: all are in the chain.")
    if receipts:
        print(f"{len(receipts)} time stamps fit the chain. `openssl ts -verify` verifies their signatures.")
    if reports:
        print(f"{len(reports)} reports show the evidence whose hash they name; {opened} of them fit their entries.")
        if opened < len(reports):
            print("The others are of events that are open: compare them again once their forecasts are public.")
    if kept is None:
        print("There was no head of an earlier run to compare with.")
    else:
        print(f"Entries 1 to {kept['entries']} are those of {kept['at']}.")


def main(base_url=os.environ.get("COUNCIL_BASE_URL", "http://127.0.0.1:3000"), path="council-record-head.json", *files):
    service = Service(base_url)
    kept = read_kept(path, service.base_url)
    reports = read_reports(files, service.read("/api/reports/sample", or_none=True))
    # In this order: what is published first must be in the chain that is read afterwards.
    record = service.read(RECORD)
    receipts = list(service.pages(RECORD + "/timestamps", "timestamps", "id"))
    rows = {row["report_id"]: row for row in service.pages(RECORD + "/reports", "reports", "report_id")}
    chain = Chain(rows, {report["id"] for report in reports})
    for entry in service.pages(RECORD + "/chain", "entries", "number"):
        chain.add(entry)
    check_published(chain, record)
    check_rows(chain)
    check_timestamps(chain, receipts)
    opened = check_reports(chain, reports)
    if kept is not None:
        check_kept(chain, kept)
    if chain.faults:
        for fault in chain.faults[:FAULTS_PRINTED]:
            print(f"WRONG: {fault}.", file=sys.stderr)
        if len(chain.faults) > FAULTS_PRINTED:
            print(f"… and {len(chain.faults) - FAULTS_PRINTED} more.", file=sys.stderr)
        sys.exit("The record does not hold. The kept head is unchanged.")
    keep(path, service.base_url, chain)
    describe(chain, record, receipts, kept, reports, opened)
    print(f"The record holds. Its head is kept in {path}: {chain.head}")


if __name__ == "__main__":
    if "-h" in sys.argv or "--help" in sys.argv:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except (KeyError, TypeError, AttributeError) as error:
        sys.exit(f"The service answers in a form that this program does not know ({error!r}).")
