"""Verifies the public record of a Council Report Service. Needs Python 3.9 or later, no packages, no account.

  python3 verify-record.py https://council.example
  python3 verify-record.py https://council.example --ca authority.pem --gamma report.json ...

It reads everything that the service publishes, computes every hash, score, bet and figure again, and says what it
verified, what nobody can prove, and what is false.

  --ca FILE         Certificates (PEM) of every time-stamp authority that the service has used. With them, `openssl`
                    verifies the signature of each receipt. Without them or it, no receipt proves anything.
  --gamma           Read the outcomes and the price history from Polymarket and compare them with the record.
  --gamma-url URL   Read them from this copy of the Gamma API, and
  --clob-url URL    from this copy of the CLOB API.
  --head FILE       Where this program keeps the newest hash for its next run (council-record-head.json). Somebody who
                    rewrites the whole chain with correct hashes cannot change what you have kept.
  reports           Files with reports, as GET /api/reports/<id> sends them. Each is compared with its entry. The sample
                    report of a service with simulated models is compared without being asked for.

Without a URL it reads COUNCIL_BASE_URL, or the service on this machine. Exit codes: 0 if everything is right and
proven, 3 if nothing is false but something is unproven, 1 if something is false or cannot be read.
"""

import argparse
import base64
import concurrent.futures
import hashlib
import itertools
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from array import array
from datetime import datetime, timezone

RECORD = "/api/stats/track-record"
PAGE_SIZE = 100
TRIES = 5
NAMES_PRINTED = 5
FAULTS_PRINTED = 20
GENESIS_HASH = "0" * 64

MINUTE, HOUR, DAY = 60, 3600, 86400
# Clocks of the service's machines and of the authority differ, and an entry is sealed shortly after its time.
CLOCK_SECONDS = 5 * MINUTE
# An entry is sealed into the chain within 2 seconds after it is counted.
SEALED_SECONDS = 3
# A run ends, or is ended and refunded, in less time.
RUN_SECONDS_MAX = 6 * HOUR
# A new entry gets a receipt within ten minutes; the authority may be unreachable for a while.
RECEIPT_SECONDS_MAX = HOUR
# A forecast opens at most this long after its event has closed.
OPENS_AFTER_CLOSE_SECONDS = 30 * DAY
# The same after the sale, if nobody knows when the event closes.
OPENS_WITHOUT_CLOSE_SECONDS = 365 * DAY
# Somebody who promises to show a forecast in ten years does not promise much.
HIDDEN_SECONDS_MAX = 730 * DAY
# A market that has closed is usually resolved, and its reports graded, within this time.
GRADED_SECONDS_MAX = 7 * DAY
# Figures are computed again at most this long after a grade.
FIGURES_SECONDS_MAX = 6 * HOUR
# Of a recomputed number, relative to it where it is greater than 1.
TOLERANCE = 1e-9
# Of a recorded price, against the public prices around its time: half a wide spread and what a price moves meanwhile.
PRICE_POINTS_MAX = 10
PRICE_WINDOW_SECONDS = HOUR


# ---- What was found ----


class Findings:
    def __init__(self):
        self.verified = []
        # Names by reason.
        self.unproven = {}
        self.faults = []

    def fault(self, text):
        self.faults.append(text)

    def cannot_prove(self, reason, name):
        self.unproven.setdefault(reason, []).append(name)

    def verify(self, text, faults_before):
        """Says that a check was passed, unless it found a fault."""
        if len(self.faults) == faults_before:
            self.verified.append(text)

    def print(self):
        for text in self.verified:
            print(f"Verified: {text}.")
        for reason, names in self.unproven.items():
            more = f" and {len(names) - NAMES_PRINTED} more" if len(names) > NAMES_PRINTED else ""
            print(f"UNPROVEN ({len(names)}): {reason}: {', '.join(names[:NAMES_PRINTED])}{more}.")
        for fault in self.faults[:FAULTS_PRINTED]:
            print(f"WRONG: {fault}.", file=sys.stderr)
        if len(self.faults) > FAULTS_PRINTED:
            print(f"… and {len(self.faults) - FAULTS_PRINTED} more.", file=sys.stderr)
        counts = f"{len(self.verified)} checks passed, {sum(map(len, self.unproven.values()))} things are unproven"
        print(f"Summary: {counts}, {len(self.faults)} faults.", flush=True)


def seconds(timestamp):
    """ISO 8601 in seconds since 1970."""
    return datetime.fromisoformat(timestamp.replace("Z", "+00:00")).timestamp()


def iso(at):
    return datetime.fromtimestamp(at, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).hexdigest()


def from_hex(text):
    try:
        return bytes.fromhex(text)
    except (TypeError, ValueError):
        return b""


def from_base64(text):
    try:
        return base64.b64decode(text)
    except (TypeError, ValueError):
        return b""


def label(simulated):
    return "simulated" if simulated else "live"


# ---- What the service publishes ----


class Service:
    """A public JSON API."""

    def __init__(self, base_url):
        self.base_url = base_url.rstrip("/")

    def read(self, path, or_none=False, **parameters):
        """or_none: None in place of an end of the program if the answer is 404."""
        query = "?" + urllib.parse.urlencode(parameters) if parameters else ""
        # A cache on the way could hide that an old entry has changed.
        headers = {"Cache-Control": "no-cache", "User-Agent": "verify-record"}
        request = urllib.request.Request(self.base_url + path + query, headers=headers)
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

    def pages(self, path, name, position, after=0):
        """The items of a list, one after the other, by their field `position`."""
        while True:
            items = self.read(path, after=after, limit=PAGE_SIZE)[name]
            yield from items
            if len(items) < PAGE_SIZE:
                return
            if items[-1][position] <= after:
                sys.exit(f"{self.base_url}{path} repeats a page: the record cannot be verified.")
            after = items[-1][position]


def read_published(service):
    """Track record, receipts and graded rows that fit together: read again if reports were graded meanwhile."""

    def grading(record):
        return [record["as_of"]] + [record["counts"][state] for state in GRADE_STATES]

    for _ in range(TRIES):
        record = service.read(RECORD)
        receipts = list(service.pages(RECORD + "/timestamps", "timestamps", "id"))
        rows = list(service.pages(RECORD + "/reports", "reports", "report_id"))
        if grading(service.read(RECORD)) == grading(record):
            break
    return record, receipts, rows


# ---- The chain ----


class Chain:
    """Checks the entries one by one, in the order in which the service lists them."""

    def __init__(self, findings, now):
        self.findings = findings
        self.now = now
        # By number, in the order in which they came.
        self.entries = {}
        self.last = 0
        self.head = GENESIS_HASH
        # By the number of the sale: its entry, and the entry that ends it.
        self.sales = {}
        self.ends = {}
        # By report: the numbers of its opened entries by kind, and what they say.
        self.numbers = {"sold": {}, "completed": {}, "failed": {}}
        self.opened = {"sold": {}, "completed": {}, "failed": {}}
        self.hidden = []
        self.overdue = 0

    def hash_of(self, number):
        return self.entries[number]["hash"] if number in self.entries else None

    def add(self, entry):
        # Entries of release 1.0.0 are of version 1: completed reports alone, without a sale.
        entry = {"kind": "completed", "sale": None, "opens_by": None, **entry}
        number = entry["number"]
        if number != self.last + 1:
            self.fault(f"entry {self.last + 1} is left out: entry {number} comes next")
        if entry["previous_hash"] != self.head:
            self.fault(f"entry {number} does not follow the one before it: one was changed, added or left out there")
        self.check_hash(entry)
        self.check_kind(entry)
        if entry["payload"] is None:
            self.check_hidden(entry)
        else:
            self.check_opened(entry)
        entry["at"] = seconds(entry["time"])
        # Only the bytes that a receipt is about are needed later.
        entry["bytes"] = hashed_bytes(entry)
        del entry["payload"], entry["salt"]
        self.entries[number] = entry
        self.last, self.head = number, entry["hash"]

    def check_hash(self, entry):
        number, payload = entry["number"], entry["payload"]
        if entry["version"] not in (1, 2):
            return self.fault(f"entry {number} has version {entry['version']}, which this program does not know")
        if sha256(hashed_bytes(entry)) != entry["hash"]:
            self.fault(f"entry {number} does not have the hash of its content: it was changed")
        if payload is not None and sha256(from_hex(entry["salt"]), payload.encode()) != entry["commitment"]:
            self.fault(f"entry {number} shows another content than the one it committed to")

    def check_kind(self, entry):
        number, kind, sale = entry["number"], entry["kind"], entry["sale"]
        if entry["version"] == 1 and kind != "completed":
            self.fault(f"entry {number} of version 1 is no completed report")
        elif entry["version"] == 1 and sale is None:
            self.findings.cannot_prove(
                "entries of release 1.0.0, which recorded neither sales nor failures", f"entry {number}"
            )
        elif kind == "sold":
            if sale is not None:
                self.fault(f"entry {number} is a sale and names another one")
            self.sales[number] = entry
        elif kind in ("completed", "failed"):
            self.check_end(entry)
        else:
            self.fault(f"entry {number} is of an unknown kind")

    def check_end(self, entry):
        number, sold = entry["number"], self.sales.get(entry["sale"])
        if sold is None:
            return self.fault(f"entry {number} ends no sale: entry {entry['sale']} before it is none")
        if entry["sale"] in self.ends:
            first = self.ends[entry["sale"]]["number"]
            return self.fault(f"entry {number} is the second end of sale {entry['sale']}, after entry {first}")
        self.ends[entry["sale"]] = entry
        if entry["simulated"] != sold["simulated"]:
            self.fault(f"entry {number} is {label(entry['simulated'])}, its sale {label(sold['simulated'])}")
        if entry["kind"] == "completed" and entry["opens_by"] != sold["opens_by"]:
            self.fault(f"entry {number} promises to open at another time than its sale {sold['number']}")
        if seconds(entry["time"]) < sold["at"] - CLOCK_SECONDS:
            self.fault(f"entry {number} ends before its sale {sold['number']}")

    def check_hidden(self, entry):
        number, opens_by = entry["number"], entry["opens_by"]
        self.hidden.append(number)
        if opens_by is not None and self.now > seconds(opens_by) + CLOCK_SECONDS:
            self.overdue += 1
            self.fault(f"entry {number} had to be open by {opens_by} and is still hidden")
        hidden_until = self.now if opens_by is None else seconds(opens_by)
        if hidden_until - seconds(entry["time"]) > HIDDEN_SECONDS_MAX:
            self.findings.cannot_prove(f"hidden for more than {HIDDEN_SECONDS_MAX // DAY} days", f"entry {number}")

    def check_opened(self, entry):
        number, kind = entry["number"], entry["kind"]
        if kind not in self.opened:
            return
        try:
            content = json.loads(entry["payload"])
            report_id, _ = content["report_id"], content["record"]
            simulated = content.get("simulated", entry["simulated"])
        except (ValueError, KeyError, TypeError, AttributeError):
            return self.fault(f"entry {number} has a content that cannot be read")
        if content["record"] not in FORMATS[kind]:
            self.findings.cannot_prove("contents in a format that this program does not know", f"entry {number}")
        elif kind == "completed" and content["record"] != "record/1":
            check_added(self.findings, content, f"entry {number}")
        if report_id in self.opened[kind]:
            self.fault(f"entry {number} is the second one that report {report_id} was {kind}")
        self.opened[kind][report_id], self.numbers[kind][report_id] = content, number
        if simulated != entry["simulated"]:
            self.fault(f"entry {number} is labelled as {label(entry['simulated'])}; its content is {label(simulated)}")
        if kind == "sold":
            closes_at, sold_at = content.get("closes_at"), seconds(entry["time"])
            latest = sold_at + OPENS_WITHOUT_CLOSE_SECONDS
            if closes_at is not None:
                latest = max(seconds(closes_at), sold_at) + OPENS_AFTER_CLOSE_SECONDS
            if seconds(entry["opens_by"]) > latest + CLOCK_SECONDS:
                self.fault(f"entry {number} promised to open later than 30 days after its event closes")

    def check_ends(self):
        """Every sale has one end, of the same report, or still runs."""
        before = len(self.findings.faults)
        of_report = {number: report for reports in self.numbers.values() for report, number in reports.items()}
        running = 0
        for number, sold in self.sales.items():
            end = self.ends.get(number)
            if end is not None:
                reports = {of_report.get(number), of_report.get(end["number"])} - {None}
                if len(reports) > 1:
                    self.fault(f"entry {end['number']} is of another report than its sale {number}")
            elif self.now - sold["at"] < RUN_SECONDS_MAX:
                running += 1
            else:
                self.fault(f"the sale of entry {number} of {sold['time']} has no end")
        opened = len(self.entries) - len(self.hidden)
        self.findings.verify(f"{len(self.entries)} entries have the right numbers, links, hashes and kinds", 0)
        self.findings.verify(f"{opened} opened entries fit what they committed to; {len(self.hidden)} are hidden", 0)
        failed = sum(end["kind"] == "failed" for end in self.ends.values())
        text = f"{len(self.sales)} sales have one end each, of which {failed} failed, or still run ({running})"
        self.findings.verify(text, before)

    def fault(self, text):
        self.findings.fault(text)


def hashed_bytes(entry):
    """What the hash of an entry covers, and what an authority stamps."""
    lines = [f"record-entry/{entry['version']}", entry["number"]]
    if entry["version"] == 2:
        lines += [entry["kind"], "-" if entry["sale"] is None else entry["sale"], entry["time"], entry["opens_by"]]
    else:
        lines += [entry["time"]]
    lines += [label(entry["simulated"]), entry["previous_hash"], entry["commitment"]]
    return "\n".join(map(str, lines)).encode()


def read_chain(service, chain):
    """Reads on after the entries that are known."""
    for entry in service.pages(RECORD + "/chain", "entries", "number", after=chain.last):
        chain.add(entry)


# By the kind of an entry, the formats of its content. A forecast of release 1.0.0 lacks the fields of `ADDED`.
FORMATS = {"sold": ("sale/1",), "completed": ("record/1", "record/2"), "failed": ("failure/1",)}


# ---- Receipts ----


class Authority:
    """Verifies time-stamp tokens (RFC 3161) by `openssl ts`."""

    def __init__(self, certificates):
        self.certificates = certificates
        self.openssl = shutil.which("openssl")
        self.lacks = None if certificates else "receipts without --ca"
        if certificates and self.openssl is None:
            self.lacks = "receipts without openssl"

    def verify(self, token, data):
        """When the token was signed, and None; or None, and why it does not sign this data, if openssl can tell."""
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("token", "data")]
            for path, content in zip(paths, (token, data)):
                with open(path, "wb") as file:
                    file.write(content)
            told = self.run("-reply", "-token_in", "-in", paths[0], "-text")
            found = re.search(r"^Time stamp: (\w{3} [ \d]\d [\d:]{8})(\.\d+)? (\d{4}) GMT$", told, re.MULTILINE)
            if found is None:
                return None, "is no time-stamp token" if "asn1" in told else None
            at = seconds_of_token(*found.groups())
            # A certificate expires long before its stamps are of no use: it had to be valid when it signed.
            trusted = ["-CAfile", self.certificates, "-untrusted", self.certificates, "-attime", str(int(at))]
            told = self.run("-verify", "-token_in", "-in", paths[0], "-data", paths[1], *trusted)
        if "Verification: OK" in told:
            return at, None
        if "Verification: FAILED" not in told:
            return None, None
        if "imprint" in told:
            return None, "is a time stamp of something else"
        return None, f"is not signed by an authority in {self.certificates} (add those that were used earlier)"

    def run(self, *words):
        # Without the configuration of this machine, which may be missing or say otherwise.
        environment = {**os.environ, "OPENSSL_CONF": os.devnull}
        command = [self.openssl, "ts", *words]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace")
        return done.stdout + done.stderr


def seconds_of_token(clock, fraction, year):
    day = " ".join(f"{clock} {year}".split())
    return datetime.strptime(f"{day} +0000", "%b %d %H:%M:%S %Y %z").timestamp() + float(fraction or 0)


def check_receipts(findings, chain, receipts, authority):
    """The receipts that prove something: pairs of number and time, by number."""
    before = len(findings.faults)
    sound = []
    for receipt in receipts:
        number, name = receipt["number"], f"receipt {receipt['id']} of {receipt['time']}"
        if number not in chain.entries:
            findings.fault(f"{name} is of entry {number}, but the chain ends with entry {chain.last}")
        elif chain.hash_of(number) != receipt["hash"]:
            findings.fault(f"{name} is of another entry {number}: the chain was rewritten")
        else:
            sound.append((receipt, name, from_base64(receipt["token"])))
    proven, claimed = [], [(receipt["number"], seconds(receipt["time"])) for receipt, _, _ in sound]
    if authority.lacks:
        for receipt, name, token in sound:
            findings.cannot_prove(authority.lacks, name)
            if from_hex(receipt["hash"]) not in token:
                findings.fault(f"{name} does not contain the hash of entry {receipt['number']}")
    else:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            stamped = [chain.entries[receipt["number"]]["bytes"] for receipt, _, _ in sound]
            verified = pool.map(authority.verify, [token for _, _, token in sound], stamped)
            for (receipt, name, _), (at, fault) in zip(sound, verified):
                if fault is not None:
                    findings.fault(f"{name} {fault}")
                elif at is None:
                    findings.cannot_prove("receipts that this openssl cannot verify (OpenSSL 3 can)", name)
                elif abs(at - seconds(receipt["time"])) > 1:
                    findings.fault(f"{name} was signed at {iso(at)}")
                else:
                    proven.append((receipt["number"], at))
        findings.verify(f"{len(proven)} receipts are signed by the authority over the bytes of their entries", before)
    check_times(findings, chain, sorted(claimed))
    return sorted(proven)


def check_times(findings, chain, receipts):
    """
    Times may differ by CLOCK_SECONDS and must otherwise rise with the numbers. An entry that a receipt covers existed
    at the time of the receipt, so it cannot be later; one with a higher number did not exist, so it cannot be earlier.
    """
    before = len(findings.faults)
    latest = None
    for entry in chain.entries.values():
        if latest is not None and entry["at"] < latest["at"] - CLOCK_SECONDS:
            text = f"entry {entry['number']} of {entry['time']} is older than entry {latest['number']} before it"
            findings.fault(f"{text}: it was redated")
        if latest is None or entry["at"] > latest["at"]:
            latest = entry
        if entry["at"] > chain.now + CLOCK_SECONDS:
            findings.fault(f"entry {entry['number']} has the time {entry['time']}, which is yet to come")
    # The receipts whose numbers surround each entry.
    places = iter(receipts + [(math.inf, math.inf)])
    (covered, covered_at), (known, known_at) = next(places), (0, -math.inf)
    redated, added = {}, {}
    for entry in chain.entries.values():
        while entry["number"] > covered:
            known, known_at = max((known, known_at), (covered, covered_at), key=lambda each: each[1])
            covered, covered_at = next(places)
        if entry["at"] > covered_at + CLOCK_SECONDS:
            redated.setdefault((covered, covered_at), []).append(entry)
        if entry["at"] < known_at - CLOCK_SECONDS:
            added.setdefault((known, known_at), []).append(entry)
    for (number, at), entries in redated.items():
        text = f"{these(entries)} later than a receipt of {iso(at)} that covers entry {number}"
        findings.fault(f"{text}: redated")
    for (number, at), entries in added.items():
        text = f"{these(entries)} older than a receipt of {iso(at)} that ends with entry {number}"
        findings.fault(f"{text}: redated, or added later")
    for (number, at), (later, later_at) in zip(receipts, receipts[1:]):
        if later > number and later_at < at - CLOCK_SECONDS:
            findings.fault(f"a receipt of entry {later} is older than one of entry {number}")
    for entry in chain.entries.values():
        if entry["number"] > (receipts[-1][0] if receipts else 0) and chain.now - entry["at"] > RECEIPT_SECONDS_MAX:
            findings.cannot_prove(
                "entries without a receipt, which may be younger than they say", f"entry {entry['number']}"
            )
    findings.verify(f"the times of the entries rise and fit {len(receipts)} receipts", before)


def these(entries):
    first = f"entry {entries[0]['number']} of {entries[0]['time']}"
    return f"{first} is" if len(entries) == 1 else f"{first} and {len(entries) - 1} more are"


def check_stamped(findings, chain, rows, receipts, proof, venue):
    """Whether each graded forecast has a receipt from before its outcome can have been known."""
    # By number of the entry, the earliest receipt that covers it.
    earliest, best = {}, math.inf
    stamps = list(receipts)
    for number in sorted(chain.entries, reverse=True):
        while stamps and stamps[-1][0] >= number:
            best = min(best, stamps.pop()[1])
        earliest[number] = best
    graded, stamped, hidden = 0, 0, 0
    for row in rows:
        number = chain.numbers["completed"].get(row["report_id"])
        if row["state"] != "graded" or number is None:
            hidden += row["state"] == "graded"
            continue
        graded += 1
        known = outcome_known(row, venue)
        if earliest[number] < known:
            stamped += 1
        else:
            findings.cannot_prove(
                "graded forecasts without a receipt from before their outcome", f"report {row['report_id']}"
            )
    findings.verified.append(f"{stamped} of {graded} graded forecasts have a receipt from before their outcome")
    if proof is not None and receipts:
        if proof["stamped_before_outcome"] > stamped + hidden and venue is None:
            findings.fault(f"{proof['stamped_before_outcome']} forecasts are said to be stamped in time; {stamped} are")
        if proof["graded"] != proof["stamped_before_outcome"] + proof["unproven"]:
            findings.fault("the published numbers of proven and unproven forecasts do not add up")
    if proof is not None and proof["overdue"] < chain.overdue:
        findings.fault(f"{proof['overdue']} entries are said to be overdue; {chain.overdue} are")


def outcome_known(row, venue):
    """
    The earliest time at which the outcome can have been known, as far as it is published: the end of trading that the
    venue names, or when the service first read a resolution. The venue itself may know an earlier one.
    """
    resolution = row["resolution"]
    named = [resolution["first_observed_at"], resolution["observed_at"], resolution["evidence"].get("closes_at")]
    times = [seconds(each) for each in named if each]
    if venue is not None:
        times += [venue.closed_at(outcome["market_id"]) for outcome in scored_outcomes(row)]
    return min(at for at in times if at is not None)


# ---- Grades: what happened, scores and bets of one report ----

GRADE_STATES = ("graded", "void", "fifty_fifty", "disputed")
MODELS = ("claude", "gpt", "gemini", "grok")
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


def check_rows(findings, chain, rows, simulated):
    """Every row is a recorded forecast, graded by the rules from what the market answered."""
    before = len(findings.faults)
    answers = {}
    for row in rows:
        report_id, resolution = row["report_id"], row["resolution"]
        forecast = chain.opened["completed"].get(report_id)
        if forecast is None and is_part(row):
            findings.cannot_prove(
                "graded in part, with a forecast that is hidden until it is final", f"report {report_id}"
            )
            continue
        if forecast is None:
            findings.fault(f"report {report_id} is graded, but no entry of the chain shows its forecast")
            continue
        number = chain.numbers["completed"][report_id]
        if chain.entries[number]["simulated"] != simulated:
            findings.fault(f"report {report_id} is graded as {label(simulated)}; entry {number} is not")
        for field in differences(row, forecast):
            findings.fault(f"the graded report {report_id} has another {field} than entry {number} of the chain")
        first = answers.setdefault((row["event_id"], resolution["observed_at"]), resolution["outcomes"])
        if first != resolution["outcomes"]:
            findings.fault(f"report {report_id} has another answer of its market than other reports on the same event")
        for market in resolution["evidence"].get("markets", []):
            if market["resolution"] != resolution["outcomes"].get(market["market_id"]):
                findings.fault(
                    f"report {report_id} has another outcome than the evidence of market {market['market_id']}"
                )
        check_grade(findings, row, forecast)
    findings.verify(f"{len(rows)} graded reports are as recorded, and their outcomes, scores and bets follow", before)


def is_part(row):
    """Some of the independent markets are open. The row has no number of theirs."""
    return row.get("open_markets", 0) > 0


def differences(row, forecast):
    """The fields of a graded report that are not as they were recorded."""
    fields = RECORDED_FIELDS | (set(row) & (set(forecast) - {"outcomes", "bets", "outside_view"}))
    if is_part(row):
        shown = [{outcome["name"] for outcome in row["outcomes"]}, {bet["market"] for bet in row["bets"]}]
        outcomes = [outcome for outcome in forecast["outcomes"] if outcome["name"] in shown[0]]
        forecast = {
            **forecast,
            "outcomes": outcomes,
            "bets": [bet for bet in forecast["bets"] if bet["market"] in shown[1]],
        }
        fields -= {field for field in ("action", "queried_market", "headline") if row[field] is None}
    found = [field for field in sorted(fields) if row.get(field) != forecast.get(field)]
    views = [view for view in forecast.get("outside_view", []) if not is_part(row) or view["outcome"] in shown[0]]
    if row.get("outside_view", []) != views:
        found.append("outside_view")
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


def check_grade(findings, row, forecast):
    report_id, resolutions = row["report_id"], row["resolution"]["outcomes"]
    if row["grader"] not in SETTLED_BY:
        return findings.cannot_prove(
            f"graded by {row['grader']}, which this program does not know", f"report {report_id}"
        )
    state, happened = settle(forecast, resolutions, row["grader"])
    if state != row["state"]:
        return findings.fault(f"report {report_id} is {row['state']}; by what its market answered it is {state}")
    if is_part(row):
        names = [outcome["name"] for outcome in forecast["outcomes"]]
        # Those of markets that are void or paid half are final without a result.
        shown = {outcome["name"] for outcome in row["outcomes"]}
        final = [resolutions.get(outcome["market_id"]) not in (None, *OPEN) for outcome in forecast["outcomes"]]
        if [name in shown for name in names] != final or final.count(False) != row["open_markets"]:
            findings.fault(f"report {report_id} has other open markets than its market answered")
        happened = [each for each, name in zip(happened, names) if name in shown]
    if happened != [outcome["happened"] for outcome in row["outcomes"]]:
        return findings.fault(f"report {report_id} has other outcomes than its market answered")
    if state != "graded":
        happened = None
    for place in unequal(row["scores"], happened and scores_of(row), "scores"):
        findings.fault(f"report {report_id} has wrong {place}")
    for bet in row["bets"]:
        won = None if happened is None else is_won(bet, resolutions)
        returned = None if happened is None else 0 if won is None else bet["payout_per_dollar"] if won else -1
        if bet["won"] != won or unequal(bet["return_per_dollar"], returned, ""):
            findings.fault(f"report {report_id} has a wrong result of its bet on {bet['market']}")


def settle(forecast, resolutions, grader):
    """The state of a report, and which of its outcomes happened (1, 0, or None)."""
    unknown = [None] * len(forecast["outcomes"])
    named = [outcome["market_id"] for outcome in forecast["outcomes"] if outcome["market_id"] is not None]
    if not forecast["exclusive"]:
        return SETTLED_BY[grader](forecast, [resolutions.get(market, "unresolved") for market in named], unknown)
    has_other = len(named) < len(forecast["outcomes"])
    others = set(forecast["left_out"]) | (set(resolutions) if has_other else set())
    others -= set(named) if has_other else set()
    wins = [
        (
            sum(resolutions.get(market) == "yes" for market in others)
            if outcome["market_id"] is None
            else int(resolutions.get(outcome["market_id"]) == outcome["side"])
        )
        for outcome in forecast["outcomes"]
    ]
    if sum(wins) == 1:
        return "graded", wins
    answers = [resolutions.get(market, "unresolved") for market in [*named, *others]]
    if sum(wins) > 1 or "disputed" in answers:
        return "disputed", unknown
    if "unresolved" in answers:
        return "pending", unknown
    # Every named outcome has lost, so the event ended with one that had no market when the report was made.
    if has_other and all(answer == "no" for answer in answers[: len(named)]):
        return "graded", [int(outcome["market_id"] is None) for outcome in forecast["outcomes"]]
    return ungradable(answers), unknown


def settle_when_all_are_final(forecast, answers, unknown):
    """Independent markets by grader/1: nothing is graded before the last one is resolved."""
    if "unresolved" in answers:
        return "pending", unknown
    if "disputed" in answers:
        return "disputed", unknown
    if not any(answer in ("yes", "no") for answer in answers):
        return ungradable(answers), unknown
    return "graded", happened_of(forecast, answers)


def happened_of(forecast, answers):
    sides = [outcome["side"] for outcome in forecast["outcomes"]]
    return [int(answer == side) if answer in ("yes", "no") else None for answer, side in zip(answers, sides)]


def ungradable(answers):
    return "fifty_fifty" if "fifty_fifty" in answers else "void"


def settle_as_they_are_final(forecast, answers, unknown):
    """Independent markets by grader/2: graded from the first YES or NO on."""
    if any(answer in ("yes", "no") for answer in answers):
        return "graded", happened_of(forecast, answers)
    if "unresolved" in answers:
        return "pending", unknown
    return "disputed" if "disputed" in answers else ungradable(answers), unknown


OPEN = ("unresolved", "disputed")
SETTLED_BY = {"grader/1": settle_when_all_are_final, "grader/2": settle_as_they_are_final}


def is_won(bet, resolutions):
    """None if the stake is returned."""
    answer = resolutions.get(bet["market_id"])
    if answer in ("void", "fifty_fifty"):
        return None
    # An unresolved market of a graded report has lost: another outcome of its exclusive event happened.
    return bet["side"] == ("BUY_YES" if answer == "yes" else "BUY_NO")


def scored_outcomes(row):
    return [outcome for outcome in row["outcomes"] if outcome["happened"] is not None]


def row_of(row, percent_of):
    """Probabilities of the scored outcomes; None if one is missing, or if they are no distribution."""
    percents = [percent_of(outcome) for outcome in scored_outcomes(row)]
    if None in percents or row["exclusive"] and not any(percents):
        return None
    return [percent / 100 for percent in percents]


def member_rows(row, field):
    """By member: its probabilities, which add up to 1 on exclusive outcomes; None if they are incomplete."""
    asked = [model for model in MODELS if any(model in outcome[field] for outcome in scored_outcomes(row))]
    rows = {model: row_of(row, lambda outcome: outcome[field].get(model)) for model in asked}
    return {model: scaled(given) if given and row["exclusive"] else given for model, given in rows.items()}


def scores_of(row):
    """The scores of every forecaster on the outcomes whose result is known."""
    happened, exclusive = [outcome["happened"] for outcome in scored_outcomes(row)], row["exclusive"]

    def score(given):
        return None if given is None else score_of(given, happened, exclusive)

    names = ("council", "market", "estimate", "first_council")
    alone = {name: row_of(row, lambda outcome: outcome[name]) for name in names}
    council, market = alone["council"], alone["market"]
    final, first = member_rows(row, "members"), member_rows(row, "first_members")
    complete = [given for given in final.values() if given is not None]
    return {
        **{name: score(given) for name, given in alone.items()},
        "blend": score(council and market and blend(council, market, exclusive)),
        "mean": score([mean(column) for column in zip(*complete)] if complete else None),
        "members": {model: score(given) for model, given in final.items()},
        "first_members": {model: score(given) for model, given in first.items()},
    }


def score_of(row, happened, exclusive):
    """Independent markets: means over the markets of the scores of p and 1 − p."""
    if exclusive:
        return exclusive_score(row, happened)
    each = [exclusive_score([p, 1 - p], [y, 1 - y]) for p, y in zip(row, happened)]
    return {name: mean([score[name] for score in each]) for name in ("brier", "log_score", "hit")}


def exclusive_score(row, happened):
    given = row[happened.index(1)]
    favourites = [p for p in row if p >= max(row) - 1e-9]
    return {
        "brier": sum((p - y) ** 2 for p, y in zip(row, happened)),
        "log_score": -math.log(max(0.001, given)) + 0,
        "hit": 1 / len(favourites) if given in favourites else 0,
    }


def blend(council, market, exclusive):
    """A fifth of the council and four fifths of the market, in logits."""
    return pool([scaled(council), scaled(market)] if exclusive else [council, market], exclusive, (0.2, 0.8))


def pool(rows, exclusive, weights=None):
    """The weighted geometric mean; of independent markets, of the two sides of each."""
    weights = weights or [1 / len(rows)] * len(rows)
    if exclusive:
        return geometric(rows, weights)
    return [geometric([[p, 1 - p] for p in column], weights)[0] for column in zip(*rows)]


def geometric(rows, weights):
    means = []
    for column in zip(*rows):
        least = min(0.01, max(0.02 / len(rows[0]), *column))
        means.append(math.prod(min(0.99, max(least, p)) ** weight for p, weight in zip(column, weights)))
    return scaled(means)


def scaled(row):
    return [p / sum(row) for p in row]


def mean(values):
    return sum(values) / len(values)


def unequal(published, computed, place):
    """The places at which two JSON values differ by more than TOLERANCE."""
    if isinstance(computed, dict) and isinstance(published, dict):
        return [
            found
            for key in computed
            for found in unequal(published.get(key), computed[key], f"{place}.{key}" if place else key)
        ]
    if isinstance(computed, (list, tuple)) and isinstance(published, list) and len(computed) == len(published):
        pairs = enumerate(zip(published, computed))
        return [found for index, (one, other) in pairs for found in unequal(one, other, f"{place}.{index}")]
    if is_number(computed) and is_number(published):
        near = abs(published - computed) <= TOLERANCE * max(1, abs(computed))
        return [] if near else [f"{place}: {published} in place of {computed}"]
    return [] if published == computed else [f"{place}: {published} in place of {computed}"]


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


# ---- Figures: one event, one vote ----

# By the unit of a mean: at how much variance its confidence sequence is tight.
TUNED_TO = {"brier": 0.5, "dollar": 50, "share": 10, "growth": 0.1}


def votes(measured):
    """Of pairs of an event and its values: the means of each event, in the order of their first measurements."""
    by_event = {}
    for event, *values in measured:
        by_event.setdefault(event, []).append(values)
    return [[mean(column) for column in zip(*values)] for values in by_event.values()]


def mean_or_none(values):
    return mean(values) if values else None


def described(measured):
    values = [value for value, *_ in votes(measured)]
    return {
        "n": len(measured),
        "events": len(values),
        "mean": mean_or_none(values),
        "interval_95": bootstrap(values),
    }


def event_mean(measured, unit, slices):
    """measured: event, value, and how far the outcome can move it."""
    pairs = votes(measured)
    sequence = confidence_sequence([pair[0] for pair in pairs], [pair[1] for pair in pairs], unit, slices)
    return {**described(measured), "confidence_sequence_95": sequence}


def confidence_sequence(values, widths, unit, slices):
    """Robbins' normal mixture on the larger of what the outcomes could vary and what they did."""
    if not values:
        return None
    middle, rho, error = mean(values), TUNED_TO[unit], 0.05 / slices
    variance = max(sum(width**2 / 4 for width in widths), sum((value - middle) ** 2 for value in values)) + rho
    radius = math.sqrt(variance * math.log(variance / (rho * error**2))) / len(values)
    return [middle - radius, middle + radius]


def bootstrap(values):
    """Percentiles of 2,000 means of events drawn with replacement; more than 997 events in 997 groups."""
    if len(values) < 2:
        return None
    groups = min(997, len(values))
    sums = [sum(values[place::groups]) for place in range(groups)]
    counts = [len(values[place::groups]) for place in range(groups)]
    drawn, means = draws(groups), []
    for start in range(0, 2000 * groups, groups):
        picked = drawn[start : start + groups]
        total = len(picked) if groups == len(values) else sum(map(counts.__getitem__, picked))
        means.append(sum(map(sums.__getitem__, picked)) / total)
    means.sort()
    return [means[49], means[1950]]


RANDOM = array("d")
DRAWN = {}


def draws(groups):
    """2,000 times as many numbers below `groups` as there are groups, by mulberry32 from a fixed seed."""
    if groups not in DRAWN:
        if len(RANDOM) < 2000 * groups:
            RANDOM[:] = array("d", mulberry32(fnv1a("council/bootstrap"), 2000 * groups))
        DRAWN[groups] = array("H", (int(RANDOM[place] * groups) for place in range(2000 * groups)))
    return DRAWN[groups]


def mulberry32(state, count):
    for _ in range(count):
        state = (state + 0x6D2B79F5) & 0xFFFFFFFF
        mixed = ((state ^ state >> 15) * (state | 1)) & 0xFFFFFFFF
        mixed ^= (mixed + (mixed ^ mixed >> 7) * (mixed | 61)) & 0xFFFFFFFF
        yield (mixed ^ mixed >> 14) / 2**32


def fnv1a(text):
    value = 0x811C9DC5
    for letter in text.encode():
        value = ((value ^ letter) * 0x01000193) & 0xFFFFFFFF
    return value


class Graded:
    """A graded report with the scores that follow from its percentages."""

    def __init__(self, row):
        self.row = row
        self.event = row["event_id"]
        self.scores = scores_of(row)
        self.members = member_rows(row, "members")
        self.outcomes = scored_outcomes(row)
        self.happened = [outcome["happened"] for outcome in self.outcomes]

    def score(self, name):
        return self.scores["members"].get(name) if name in MODELS else self.scores[name]

    def width(self, first, second):
        percents = [[outcome[name] / 100 for outcome in self.outcomes] for name in (first, second)]
        return brier_width(*percents, self.row["exclusive"])

    def error_product(self, first, second):
        """Of two members; of one with itself, its Brier score."""
        errors = zip(self.members[first], self.members[second], self.happened)
        products = [(p - y) * (q - y) for p, q, y in errors]
        return sum(products) if self.row["exclusive"] else 2 * mean(products)

    def market_distance(self):
        apart = [abs(outcome["council"] - outcome["market"]) for outcome in self.outcomes]
        return sum(apart) / 2 if self.row["exclusive"] else mean(apart)


def brier_width(first, second, exclusive):
    """How far the outcome can move the difference of two Brier scores."""
    apart = [p - q for p, q in zip(first, second)]
    return 2 * (max(apart) - min(apart)) if exclusive else 4 * mean([abs(each) for each in apart])


def figures_of(rows, version):
    graded = [Graded(row) for row in sorted(rows, key=lambda row: row["report_id"]) if row["state"] == "graded"]
    seen = set()
    first = [each for each in graded if not (each.event in seen or seen.add(each.event))]

    def where(slices, test, extra=False):
        return summary([each for each in graded if test(each.row)], slices, extra)

    whole = summary(graded, 1)
    paired = whole["paired_difference"]
    settled = [(each.event, bet) for each in graded for bet in each.row["bets"] if bet["won"] is not None]
    of_kind = {kind: [pair for pair in settled if pair[1]["kind"] == kind] for kind in ("edge", "pick")}
    evidence = ("searched", "partial", "none", "not_searched")
    bonferroni = ("by_action", "by_flag", "by_evidence", "bets_by_kind")
    figures = {
        "events": len(first),
        **whole,
        "blend": score_figures(graded, "blend"),
        "estimate": score_figures(graded, "estimate"),
        "estimate_difference": difference(graded, "estimate", "market", 1),
        "review": difference(graded, "council", "first_council", 1),
        "skill": 1 - paired["council_brier"] / paired["market_brier"] if paired["market_brier"] else None,
        "calibration": calibration(graded),
        "by_model": {name: score_figures(graded, name) for name in (*MODELS, "mean")},
        "by_action": {name: where(3, lambda row: row["action"] == name) for name in ("BUY_YES", "BUY_NO", "SKIP")},
        "by_flag": {
            "degraded": where(4, lambda row: row["degraded"]),
            "not_degraded": where(4, lambda row: not row["degraded"]),
            "conflict": where(4, lambda row: row["conflict"]),
            "no_conflict": where(4, lambda row: not row["conflict"]),
        },
        "by_evidence": {name: where(4, lambda row: evidence_of(row) == name, extra=True) for name in evidence},
        "bets": {**bet_returns(settled, 1), "by_kind": {kind: bet_returns(of_kind[kind], 2) for kind in of_kind}},
        "slice_adjustment": {"by_model": "none", **{name: "bonferroni" for name in bonferroni}},
        "first_report_per_event": summary(first, 1),
    }
    if version == "figures/2":
        figures["rules_unchanged"] = where(1, lambda row: not row.get("rules_changed", False))
        figures["by_category"] = by_category(graded, first)
        figures["outside_view"] = outside_view(graded)
        figures["wealth"] = wealth(graded)
        figures["stakes"] = stakes(graded)
        figures["members"] = {"error_correlation": error_correlation(graded), "left_out": left_out(graded)}
        adjusted = {"by_category": "bonferroni", "left_out": "bonferroni", "wealth": "none"}
        figures["slice_adjustment"].update(adjusted)
    return figures


def evidence_of(row):
    return "not_searched" if row["evidence"] is None else row["evidence"]["status"]


def summary(graded, slices, extra=False):
    figures = {
        "council": score_figures(graded, "council"),
        "market": score_figures(graded, "market"),
        "paired_difference": difference(graded, "council", "market", slices),
    }
    if extra:
        both = [each for each in graded if each.score("council") and each.score("market")]
        figures["estimate"] = score_figures(graded, "estimate")
        figures["market_distance_points"] = described([(each.event, each.market_distance()) for each in both])
    return figures


def score_figures(graded, name):
    return score_means([(each.event, each.score(name)) for each in graded if each.score(name) is not None])


def score_means(scored):
    means = votes([(event, score["brier"], score["log_score"], score["hit"]) for event, score in scored])
    columns = [mean(column) for column in zip(*means)] or [None] * 3
    return {**dict(zip(("brier", "log_score", "hit_rate"), columns)), "n": len(scored), "events": len(means)}


def difference(graded, first, second, slices):
    both = [each for each in graded if each.score(first) and each.score(second)]
    briers = [(each.event, each.score(first)["brier"], each.score(second)["brier"]) for each in both]
    apart = [(event, one - other, each.width(first, second)) for each, (event, one, other) in zip(both, briers)]
    columns = [mean(column) for column in zip(*votes(briers))] or [None] * 2
    return {**event_mean(apart, "brier", slices), f"{first}_brier": columns[0], f"{second}_brier": columns[1]}


def calibration(graded):
    bins = [[] for _ in range(10)]
    for each in graded:
        for outcome in each.outcomes:
            # The NO of a single market carries the same information as its YES.
            if outcome["side"] == "yes":
                place = min(9, int(outcome["council"] / 10))
                bins[place].append((each.event, outcome["council"] / 100, outcome["happened"]))
    return [calibration_bin(place, measured) for place, measured in enumerate(bins)]


def calibration_bin(place, measured):
    means = votes(measured)
    probability, share = [mean(column) for column in zip(*means)] or [None] * 2
    return {
        "from": place / 10,
        "to": (place + 1) / 10,
        "n": len(measured),
        "events": len(means),
        "mean_probability": probability,
        "share_happened": share,
        "interval_95": None if share is None else wilson(share, len(means)),
    }


def wilson(share, trials):
    z = 1.959963984540054
    scale = 1 + z**2 / trials
    half = z / scale * math.sqrt(share * (1 - share) / trials + z**2 / (4 * trials**2))
    centre = (share + z**2 / (2 * trials)) / scale
    return [max(0, centre - half), min(1, centre + half)]


def bet_returns(bets, slices):
    """Of one dollar on each bet whose stake was not returned, and what the bets claimed."""
    payouts = [(event, bet["payout_per_dollar"], bet["won"], bet["win_probability"] / 100) for event, bet in bets]
    returned = [(event, payout if won else -1, payout + 1) for event, payout, won, _ in payouts]
    claims = votes([(event, p, won, p * (1 + payout) - 1, payout if won else -1) for event, payout, won, p in payouts])
    names = ("claimed_win_rate", "actual_win_rate", "claimed_return_per_dollar", "actual_return_per_dollar")
    columns = [mean(column) for column in zip(*claims)] or [None] * 4
    figures = event_mean(returned, "dollar", slices)
    figures["mean_return_per_dollar"] = figures.pop("mean")
    claimed = event_mean([(event, won - p, 1) for event, _, won, p in payouts], "share", slices)
    return {**figures, "claims": {**claimed, **dict(zip(names, columns))}}


CATEGORIES_MAX = 10


def by_category(graded, first):
    """The category of an event is that of its first report. The most frequent ones, the others merged, and none."""
    of_event = {each.event: each.row["category"] for each in first}
    names = list(of_event.values())
    ranked = sorted({name for name in names if name is not None}, key=lambda name: (-names.count(name), name))
    slices = [("category", name, 1, {name}) for name in ranked[:CATEGORIES_MAX]]
    merged = set(ranked[CATEGORIES_MAX:])
    slices += [("other", None, len(merged), merged)] if merged else []
    slices += [("none", None, 0, {None})] if None in names else []
    return [category_slice(graded, of_event, *each) for each in slices]


def category_slice(graded, of_event, kind, category, categories, members):
    inside = [each for each in graded if of_event[each.event] in members]
    # Those that are merged, and those without a category, are two more.
    return {
        **{"slice": kind, "category": category, "categories": categories},
        **summary(inside, CATEGORIES_MAX + 2),
        "estimate": score_figures(inside, "estimate"),
        "estimate_difference": difference(inside, "estimate", "market", CATEGORIES_MAX + 2),
    }


def outside_view(graded):
    """The first of two outcomes by base rates alone, beside who had more, on the same reports."""
    measured, spoken = [], []
    for each in graded:
        views = each.row.get("outside_view")
        if views and each.row["exclusive"] and len(each.outcomes) == 2:
            spoken.append(each)
            percents = [views[0]["probability"], 100 - views[0]["probability"]]
            row, council = [p / 100 for p in percents], [outcome["council"] / 100 for outcome in each.outcomes]
            width = brier_width(council, row, True)
            measured.append((each.event, exclusive_score(row, each.happened), each.score("council"), width))
    apart = [(event, ours["brier"] - alone["brier"], width) for event, alone, ours, width in measured]
    briers = votes([(event, ours["brier"], alone["brier"]) for event, alone, ours, _ in measured])
    columns = [mean(column) for column in zip(*briers)] or [None] * 2
    compared = event_mean(apart, "brier", 1)
    return {
        "outside_view": score_means([(event, alone) for event, alone, *_ in measured]),
        **{name: score_figures(spoken, name) for name in ("council", "market", "estimate")},
        "difference": {**compared, "council_brier": columns[0], "outside_view_brier": columns[1]},
    }


STAKES = (0.05, 0.1, 0.2, 0.4, 0.8)


def wealth(graded):
    """What one dollar became, staked in these shares against the price: e-processes under “the prices are fair”."""
    return {
        "council": grown(graded, lambda each: question_returns(each, "council")),
        "estimate": grown(graded, lambda each: question_returns(each, "estimate")),
        "bets": grown(graded, lambda each: returns_of_bets(each, ("edge", "pick"))),
        "edge_bets": grown(graded, lambda each: returns_of_bets(each, ("edge",))),
        "picks": grown(graded, lambda each: returns_of_bets(each, ("pick",))),
    }


def grown(graded, returns_of):
    """One return an event: that of its first report that has any, in the order in which they were resolved."""
    decided = {}
    for each in graded:
        returns = returns_of(each)
        if returns and each.event not in decided:
            resolved_at = seconds(each.row["resolution"]["observed_at"])
            decided[each.event] = (resolved_at, each.row["report_id"], returns)
    logs, now, highest = [0.0] * len(STAKES), 0.0, 0.0
    for _, _, returns in sorted(decided.values()):
        logs = [log + math.log1p(stake * mean(returns)) for log, stake in zip(logs, STAKES)]
        top = max(logs)
        now = top + math.log(mean([math.exp(log - top) for log in logs]))
        highest = max(highest, now)
    count = sum(len(returns) for _, _, returns in decided.values())
    return {"n": count, "events": len(decided), "log_wealth": now, "max_log_wealth": highest}


def returns_of_bets(each, kinds):
    bets = [bet for bet in each.row["bets"] if bet["won"] is not None and bet["kind"] in kinds]
    return [bet["payout_per_dollar"] if bet["won"] else -1 for bet in bets]


def question_returns(each, name):
    """Of each question, how much more probability than the market a forecaster gave to what happened, less 1."""
    if not each.score(name) or not each.score("market"):
        return []
    pairs = [(outcome[name], outcome["market"]) for outcome in each.outcomes]
    if each.row["exclusive"]:
        questions = [(list(zip(*pairs)), each.happened.index(1))]
    else:
        questions = [(((p, 100 - p), (q, 100 - q)), 1 - y) for (p, q), y in zip(pairs, each.happened)]
    return [raised(given)[winner] / raised(price)[winner] - 1 for (given, price), winner in questions]


def raised(row):
    return scaled([max(0.001, p) for p in scaled(row)])


def stakes(graded):
    """A bankroll that follows the stakes of each event's first report that has a settled one."""
    decided = {}
    for each in graded:
        bets = [bet for bet in each.row["bets"] if bet["won"] is not None and bet.get("stake_fraction")]
        if bets and each.event not in decided:
            ends = [log_growth(bets, wins) for wins in possible_wins(bets, each.row["exclusive"])]
            grown_by = log_growth(bets, [bet["won"] for bet in bets])
            decided[each.event] = (grown_by, max(ends) - min(ends), len(bets))
    measured = [(event, growth, width) for event, (growth, width, _) in decided.items()]
    figures = event_mean(measured, "growth", 1)
    figures["n"] = sum(count for _, _, count in decided.values())
    figures["mean_log_growth"] = figures.pop("mean")
    figures["bankroll"] = math.exp(min(700, sum(growth for _, growth, _ in measured)))
    return figures


def log_growth(bets, wins):
    returns = [bet["payout_per_dollar"] if won else -1 for bet, won in zip(bets, wins)]
    return math.log(1 + sum(bet["stake_fraction"] * each for bet, each in zip(bets, returns)))


def possible_wins(bets, exclusive):
    """Which bets win, by each end that the event can have."""
    if not exclusive:
        return [[won] * len(bets) for won in (True, False)]
    winners = [bet["market_id"] for bet in bets] + [None]
    return [[(bet["side"] == "BUY_YES") == (bet["market_id"] == winner) for bet in bets] for winner in winners]


def error_correlation(graded):
    """Of each two members: how alike their errors are. Members with the same errors are one."""
    pairs = [pair_of(graded, *pair) for pair in itertools.combinations(MODELS, 2)]
    middle = mean_or_none([pair["correlation"] for pair in pairs if pair["correlation"] is not None])
    effective = None if middle is None or 1 + 3 * middle <= 0 else 4 / (1 + 3 * middle)
    return {"mean": middle, "effective_members": effective, "pairs": pairs}


def pair_of(graded, first, second):
    both = [each for each in graded if each.members.get(first) and each.members.get(second)]
    sides = ((first, second), (first, first), (second, second))
    products = votes([(each.event, *(each.error_product(*side) for side in sides)) for each in both])
    joint, one, other = [mean(column) for column in zip(*products)] or [0] * 3
    root = math.sqrt(one * other)
    correlation = joint / root if root else None
    return {"members": [first, second], "n": len(both), "events": len(products), "correlation": correlation}


def left_out(graded):
    """The pool of the members without one of them, against the pool with it."""
    return {model: without_member(graded, model) for model in MODELS}


def without_member(graded, model):
    compared = []
    for each in graded:
        members = {name: given for name, given in each.members.items() if given}
        if model in members and len(members) > 1:
            exclusive = each.row["exclusive"]
            whole = pool(list(members.values()), exclusive)
            others = pool([given for name, given in members.items() if name != model], exclusive)
            briers = [score_of(given, each.happened, exclusive)["brier"] for given in (others, whole)]
            compared.append((each.event, *briers, brier_width(others, whole, exclusive)))
    differences = [(event, without - whole, width) for event, without, whole, width in compared]
    without, whole, _ = [mean(column) for column in zip(*votes(compared))] or [None] * 3
    return {**event_mean(differences, "brier", len(MODELS)), "without_brier": without, "council_brier": whole}


NO_FIGURES = {"simulated", "figures_version", "as_of", "record", "counts", "proof", "verdict_text"}


def unknown(published, computed, place):
    """The places of what is published and was not computed, but for texts."""
    if isinstance(published, list) and isinstance(computed, list):
        return [found for one, other in zip(published, computed) for found in unknown(one, other, place)]
    if not isinstance(published, dict) or not isinstance(computed, dict):
        return []
    found = []
    for key, value in published.items():
        below = f"{place}.{key}" if place else key
        if key in computed:
            found += unknown(value, computed[key], below)
        elif key != "text":
            found.append(below)
    return found


def check_figures(findings, record, rows):
    before = len(findings.faults)
    version, as_of = record["figures_version"], record["as_of"]
    if version not in ("figures/1", "figures/2"):
        return findings.cannot_prove("figures of a version that this program does not know", version)
    newer = [row for row in rows if as_of is None or seconds(row["graded_at"]) > seconds(as_of)]
    newest = max((seconds(row["graded_at"]) for row in newer), default=0)
    if newer and (as_of is None or newest - seconds(as_of) < FIGURES_SECONDS_MAX):
        return findings.cannot_prove("figures from before the newest grades: run again within hours", f"as of {as_of}")
    computed = figures_of(rows, version)
    wrong = unequal({name: record.get(name) for name in computed}, computed, "")
    for place in wrong[:NAMES_PRINTED]:
        findings.fault(f"the published figure {place}, which the rows give")
    if len(wrong) > NAMES_PRINTED:
        findings.fault(f"{len(wrong) - NAMES_PRINTED} more published figures are not what the rows give")
    for name in unknown({name: value for name, value in record.items() if name not in NO_FIGURES}, computed, ""):
        findings.cannot_prove("published figures that this program does not know", name)
    check_verdict(findings, computed["paired_difference"], record["verdict_text"])
    findings.verify("every published mean, interval, sequence, bin and slice follows from the rows", before)


def check_verdict(findings, paired, text):
    """The sentence about council and market says no more than its confidence sequence."""
    sequence = paired["confidence_sequence_95"]
    if paired["events"] < 30 or sequence is None:
        word = "collecting"
    else:
        word = "not distinguishable" if sequence[0] <= 0 <= sequence[1] else "better" if sequence[1] < 0 else "worse"
    if word not in text:
        findings.fault(f"the verdict in words does not say “{word}”, which follows from the figures")


# ---- Counts, and what is left out ----


def check_counts(findings, service, chain, record, rows):
    before = len(findings.faults)
    counts, published, simulated = record["counts"], record["record"], record["simulated"]
    if chain.hash_of(published["entries"]) != published["head"] and published["entries"] > 0:
        findings.fault(f"the head of the track record is not the hash of entry {published['entries']} of the chain")
    # A service of release 1.0.0 counts failures and has no entries of them.
    kinds = ("sold", "completed", "failed") if "sold" in counts else ("completed",)
    is_sound = not findings.faults
    if is_sound and any(counts[kind] > count_kind(chain, simulated, kind) for kind in kinds):
        # What was counted a moment ago may not have been sealed.
        time.sleep(SEALED_SECONDS)
        read_chain(service, chain)
    has_version_1 = any(entry["version"] == 1 and entry["sale"] is None for entry in chain.entries.values())
    for kind in kinds:
        least = count_kind(chain, simulated, kind, until=published["entries"])
        most = count_kind(chain, simulated, kind)
        if has_version_1 and kind == "sold" and counts[kind] > most:
            reason = "reports that were sold without an entry, as in release 1.0.0"
            findings.cannot_prove(reason, f"{counts[kind] - most} of {counts[kind]}")
        elif not least <= counts[kind] <= most:
            way = "one was left out" if counts[kind] > most else "an entry was added"
            text = f"{counts[kind]} {label(simulated)} reports were {kind}, but {most} are in the chain"
            findings.fault(f"{text}: {way}")
    for state in GRADE_STATES:
        found = sum(row["state"] == state for row in rows)
        if counts[state] != found:
            findings.fault(f"{counts[state]} reports are counted as {state}, but {found} rows are exported")
    if counts["pending"] != counts["completed"] - sum(counts[state] for state in GRADE_STATES):
        findings.fault("the counts do not add up")
    findings.verify("the published counts are those of the chain and of the graded rows", before)


def count_kind(chain, simulated, kind, until=math.inf):
    entries = (entry for entry in chain.entries.values() if entry["number"] <= until)
    return sum(entry["simulated"] == simulated and entry["kind"] == kind for entry in entries)


def check_ungraded(findings, chain, rows, simulated, venue):
    """Forecasts that are open for everybody and have no grade: losers could be dropped there."""
    graded = {row["report_id"] for row in rows}
    resolved = {row["event_id"]: row for row in rows if row["grader"] in SETTLED_BY}
    waiting = 0
    for report_id, forecast in chain.opened["completed"].items():
        entry = chain.entries[chain.numbers["completed"][report_id]]
        if report_id in graded or entry["simulated"] != simulated:
            continue
        other = resolved.get(forecast["event_id"])
        closes_at = chain.opened["sold"].get(report_id, {}).get("closes_at")
        closed = seconds(closes_at) if closes_at else entry["at"]
        if other and would_be_graded(forecast, other) and chain.now - seconds(other["graded_at"]) > DAY:
            findings.fault(f"report {report_id} has no grade, but another report on its event has one")
        elif chain.now - closed < GRADED_SECONDS_MAX:
            waiting += 1
        elif venue is not None and venue.is_resolved(forecast):
            findings.fault(f"report {report_id} has no grade, but the venue has resolved its event")
        else:
            findings.cannot_prove("forecasts of closed events without a grade", f"report {report_id}")
    findings.verified.append(
        f"{waiting} forecasts of closed events wait for their outcome, none for longer than a week"
    )


def would_be_graded(forecast, other):
    return settle(forecast, other["resolution"]["outcomes"], other["grader"])[0] != "pending"


# ---- Saved reports ----


def read_reports(paths, sample):
    reports = [] if sample is None else [sample]
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                report = json.load(file)
            report["id"], report["status"]
        except (OSError, ValueError, KeyError, TypeError):
            sys.exit(f"{path} does not hold a report: save what GET /api/reports/<id> sends.")
        reports.append(report)
    return reports


def check_reports(findings, chain, reports):
    """Reports as their owners see them."""
    before = len(findings.faults)
    opened, heads = 0, {}
    for report in reports:
        report_id, status, record = report["id"], report["status"], report["record"]
        if record is None:
            if status == "completed":
                findings.fault(f"report {report_id} is completed and has no entry")
            continue
        number = record["seq"]
        if heads.setdefault(number, record["hash"]) != record["hash"]:
            findings.fault(f"entry {number} has two hashes in saved reports")
        if number not in chain.entries:
            findings.fault(f"report {report_id} names entry {number}, but the chain ends with entry {chain.last}")
        elif chain.hash_of(number) != record["hash"]:
            findings.fault(f"report {report_id} names another hash for entry {number} than the chain")
        elif status in ("completed", "failed") and chain.entries[number]["kind"] != status:
            findings.fault(f"report {report_id} is {status}; its entry {number} says {chain.entries[number]['kind']}")
        for kind, numbers in chain.numbers.items():
            if kind == status and numbers.get(report_id, number) != number:
                findings.fault(f"report {report_id} names entry {number}; its entry is {numbers[report_id]}")
        if status == "completed":
            opened += check_numbers(findings, chain, report)
            check_grounds(findings, report)
    if reports:
        text = f"{len(reports)} saved reports fit the chain, {opened} of them with their opened forecast"
        findings.verify(f"{text}, and what they rest on", before)


BET_FIELDS = ("market", "side", "kind", "share_cost", "payout_per_dollar", "win_probability", "stake_fraction")


def check_numbers(findings, chain, report):
    """Whether the forecast of the report is public, so that its numbers could be compared."""
    report_id, runtime = report["id"], report["council_config"]["runtime"]
    evidence, summary_shown = report["deliberation"]["evidence"], runtime["evidence"]
    if evidence_summary(evidence) != summary_shown:
        findings.fault(f"report {report_id} shows other evidence than the one whose hash it names")
    forecast = chain.opened["completed"].get(report_id)
    if forecast is None:
        return False
    number = chain.numbers["completed"][report_id]
    estimate = (runtime.get("estimate") or {}).get("probabilities", {})
    shown = {
        "action": report["action"],
        "evidence": summary_shown,
        "council": runtime["market_probabilities"],
        "market": runtime["market_implied_probabilities"],
        "estimate": [estimate.get(outcome["name"]) for outcome in forecast["outcomes"]],
        "bets": [[bet.get(field) for field in BET_FIELDS] for bet in runtime.get("top_bets", [])],
    }
    recorded = {
        "action": forecast["action"],
        "evidence": forecast["evidence"],
        **{
            name: {outcome["name"]: outcome[name] for outcome in forecast["outcomes"]} for name in ("council", "market")
        },
        "estimate": [outcome["estimate"] if forecast["estimate_weights"] else None for outcome in forecast["outcomes"]],
        "bets": [[bet.get(field) for field in BET_FIELDS] for bet in forecast["bets"]],
    }
    if forecast["record"] != "record/1":
        shown.update({field: {**runtime, "confidence": report["confidence"]}[field] for field in ADDED})
        recorded.update({field: forecast[field] for field in ADDED})
    for field, value in shown.items():
        if value != recorded[field]:
            findings.fault(f"report {report_id} has another {field} than entry {number} of the chain")
    return True


def evidence_summary(evidence):
    if evidence is None:
        return None
    # As JavaScript writes JSON: no spaces, and half a surrogate pair, which UTF-8 cannot hold, as an escape.
    text = json.dumps(evidence, ensure_ascii=False, separators=(",", ":"))
    text = re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)
    return {"status": evidence["status"], "items": len(evidence["items"]), "sha256": sha256(text.encode())}


# ---- What a report states beside its forecast ----

# What `record/2` adds to `record/1`.
ADDED = ("confidence", "outside_view", "resolution_risk", "market_gap")
GAP_POINTS_MIN = 8
CONFIDENCE_MAX = 85


def check_added(findings, forecast, name):
    """What can be computed from an entry alone."""
    outcomes = forecast["outcomes"]
    gap = market_gap([(each["name"], each["council"], each["market"], each["estimate"]) for each in outcomes])
    for place in unequal(forecast["market_gap"], gap, "market_gap"):
        findings.fault(f"{name} has a wrong {place}")
    names, members = {outcome["name"] for outcome in outcomes}, set(outcomes[0]["first_members"])
    for view in forecast["outside_view"]:
        if view["outcome"] not in names or not set(view["members"]) <= members:
            findings.fault(f"{name} has an outside view of another outcome or member than its forecast")


def check_grounds(findings, report):
    """Base rates, outside view, resolution risk, distance to the market and confidence, from the report alone."""
    runtime, deliberation = report["council_config"]["runtime"], report["deliberation"]
    opinions = [each for each in deliberation["opinions"] if each["model"] in runtime["models"]]
    names = [each["outcome"] for each in opinions[0]["distribution"]]
    wrong = []
    for opinion in opinions:
        of_member = f"of {opinion['model']}"
        for given in opinion.get("base_rates", []):
            wrong += unlike(given["rate"], 100 * (given["k"] + 1) / (given["n"] + 2), f"base rate {of_member}")
        if opinion.get("range"):
            width = opinion["range"]["high"] - opinion["range"]["low"]
            wrong += unlike(opinion["confidence"], 100 - width, f"confidence {of_member}")
    wrong += unlike(report["confidence"], confidence_of(runtime, opinions), "confidence")
    if runtime["method"]["name"] != "council/1":
        estimate = (runtime["estimate"] or {}).get("probabilities", {})
        council, market = runtime["market_probabilities"], runtime["market_implied_probabilities"]
        risks = [each["resolution_risk"] for each in opinions if each["resolution_risk"] is not None]
        gap = market_gap([(name, council[name], market[name], estimate.get(name)) for name in names])
        subject = subject_of(runtime, names, council)
        wrong += unlike(runtime["resolution_risk"], median(risks) if risks else None, "resolution_risk")
        wrong += unequal(runtime["market_gap"], gap, "market_gap")
        wrong += unequal(runtime["subject"], subject, "subject")
        wrong += wrong_views(runtime, opinions, names)
        wrong += wrong_triggers(deliberation, opinions, subject)
    for place in wrong:
        findings.fault(f"report {report['id']} has a wrong {place}, by what its members answered")


def unlike(published, computed, place):
    """Whether a published number is not the computed one with one decimal. Ties may be rounded either way."""
    if published is None or computed is None:
        return unequal(published, computed, place)
    near = abs(published - computed) <= 0.05 + TOLERANCE * max(1, abs(computed))
    return [] if near else [f"{place}: {published} in place of {computed}"]


def subject_of(runtime, names, council):
    """The outcome that the triggers speak of: where outcomes are independent, the one nearest to 50 %."""
    if not runtime["exclusive"]:
        return min(names, key=lambda name: abs(council[name] - 50))
    return names[0] if is_binary(runtime, names) else max(names, key=council.get)


def is_binary(runtime, names):
    return runtime["exclusive"] and len(names) == 2


def median(values):
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def market_gap(outcomes):
    """The first of the widest, of outcomes with their percents. Only where prices are good enough for an estimate."""
    widest = None
    for name, council, market, estimate in outcomes:
        points = 0 if market is None or estimate is None else round(abs(council - market), 1)
        if points >= GAP_POINTS_MIN and (widest is None or points > widest["points"]):
            widest = {"outcome": name, "council": council, "market": market, "points": points}
    return widest


def wrong_views(runtime, opinions, names):
    """The members' outside views of each outcome, pooled. Of two outcomes, one of the second speaks of the first."""
    pooled = {}
    for opinion in opinions:
        view = opinion["outside_view"]
        if view is not None:
            name, p = view["outcome"], view["probability"] / 100
            if is_binary(runtime, names) and name == names[1]:
                name, p = names[0], 1 - p
            pooled.setdefault(name, []).append((opinion["model"], p))
    published, wrong = runtime["outside_view"], []
    shown = [(view["outcome"], set(view["members"])) for view in published]
    if shown != [(name, {model for model, _ in pooled[name]}) for name in names if name in pooled]:
        return ["outside_view: it is of other outcomes or members"]
    for view in published:
        (computed,) = pool([[p] for _, p in pooled[view["outcome"]]], False)
        wrong += unlike(view["probability"], 100 * computed, f"outside_view of {view['outcome']}")
    return wrong


def wrong_triggers(deliberation, opinions, subject):
    """Triggers show the members' own numbers, of the outcome that they speak of."""
    given = {}
    for opinion in opinions:
        if opinion["subject"] == subject:
            given[opinion["model"]] = [change["to"] for change in opinion["would_change"]]
    shown = [pair for trigger in deliberation["synthesis"]["triggers"] for pair in trigger["to"].items()]
    return [f"number of {model} in a trigger: {to}" for model, to in shown if to not in given.get(model, [])]


def confidence_of(runtime, opinions):
    """The mean of how close the six pairs of first opinions are, and of the median of the members' own."""
    exclusive, evidence = runtime["exclusive"], runtime["evidence"]
    firsts = [[each["probability"] / 100 for each in opinion["distribution"]] for opinion in opinions]
    apart = [
        total / 2 if exclusive else widest
        for total, widest in (distances(*pair, exclusive) for pair in itertools.combinations(firsts, 2))
    ]
    agreement = sum(max(0, 1 - each / 0.5) for each in apart) / 6
    own = median([opinion["confidence"] for opinion in opinions] + [0] * (len(MODELS) - len(opinions))) / 100
    factor = 0.5 if runtime["degraded"] or runtime["consensus_market_conflict"] else 1
    known = 0.8 if evidence is not None and evidence["status"] == "none" else 1
    return CONFIDENCE_MAX * (agreement + own) / 2 * factor * known


def distances(one, other, exclusive):
    """The sum and the widest of the differences."""
    pairs = zip(scaled(one), scaled(other)) if exclusive else zip(one, other)
    apart = [abs(p - q) for p, q in pairs]
    return sum(apart), max(apart)


# ---- The venue ----


class Venue:
    """Outcomes and price history of Polymarket. What cannot be read is None."""

    def __init__(self, gamma_url, clob_url):
        self.gamma_url, self.clob_url = gamma_url.rstrip("/"), clob_url.rstrip("/")
        self.kept = {}

    def read(self, url):
        if url not in self.kept:
            self.kept[url] = None
            request = urllib.request.Request(url, headers={"User-Agent": "verify-record"})
            for _ in range(TRIES):
                try:
                    with urllib.request.urlopen(request, timeout=30) as response:
                        self.kept[url] = json.load(response)
                    break
                except urllib.error.HTTPError as error:
                    if error.code != 429:
                        break
                    time.sleep(5)
                except (OSError, ValueError):
                    break
        return self.kept[url]

    def market(self, market_id):
        return self.read(f"{self.gamma_url}/markets/{urllib.parse.quote(market_id, safe='')}")

    def winner(self, market_id):
        """`yes`, `no`, `fifty_fifty`; None if the market has none, or cannot be read."""
        market = self.market(market_id)
        try:
            if not market["closed"] or "disputed" in (market.get("umaResolutionStatus") or ""):
                return None
            first, second = (float(price) for price in listed(market["outcomePrices"]))
        except (TypeError, KeyError, ValueError):
            return None
        if first == second == 0.5:
            return "fifty_fifty"
        return "yes" if first >= 0.999 and second <= 0.001 else "no" if second >= 0.999 and first <= 0.001 else None

    def closed_at(self, market_id):
        """When the market closed, by the venue; in seconds since 1970."""
        market = self.market(market_id) if market_id else None
        try:
            # `2024-11-06 15:17:23+00`
            return seconds(re.sub(r"([+-]\d\d)$", r"\1:00", market["closedTime"].replace(" ", "T")))
        except (TypeError, KeyError, AttributeError, ValueError):
            return None

    def prices(self, market_id, at):
        """The prices of YES around a time, in percent."""
        try:
            token = listed(self.market(market_id)["clobTokenIds"])[0]
            query = {
                "market": token,
                "startTs": int(at - PRICE_WINDOW_SECONDS),
                "endTs": int(at + PRICE_WINDOW_SECONDS),
            }
            history = self.read(f"{self.clob_url}/prices-history?{urllib.parse.urlencode({**query, 'fidelity': 1})}")
            points = [(point["t"], point["p"] * 100) for point in history["history"]]
        except (TypeError, KeyError, ValueError, IndexError):
            return []
        return [price for when, price in points if abs(when - at) <= PRICE_WINDOW_SECONDS]

    def is_resolved(self, forecast):
        winners = [self.winner(outcome["market_id"]) for outcome in forecast["outcomes"] if outcome["market_id"]]
        return "yes" in winners or None not in winners


def listed(value):
    """Gamma encodes lists as JSON strings."""
    return json.loads(value) if isinstance(value, str) else value


def check_venue(findings, rows, venue):
    before = len(findings.faults)
    compared, priced = 0, 0
    for row in rows:
        answers = row["resolution"]["outcomes"]
        for outcome in row["outcomes"]:
            market_id = outcome["market_id"]
            if market_id is None or outcome["happened"] is None or outcome["side"] == "no":
                continue
            name = f"market {market_id} of report {row['report_id']}"
            winner = venue.winner(market_id)
            if winner is None:
                findings.cannot_prove("outcomes that the venue does not tell", name)
            elif answers.get(market_id) in ("yes", "no") and winner != answers[market_id]:
                findings.fault(
                    f"{name} resolved {winner.upper()} by the venue, {answers[market_id].upper()} by the record"
                )
            else:
                compared += 1
            if outcome["market"] is None:
                continue
            prices = venue.prices(market_id, seconds(row["prices_at"]))
            # The prices of exclusive outcomes are scaled to 100 in a report, by a tenth at most.
            leeway = PRICE_POINTS_MAX + (outcome["market"] / 10 if row["exclusive"] else 0)
            if not prices:
                findings.cannot_prove("recorded prices that the venue does not tell", name)
            elif not min(prices) - leeway <= outcome["market"] <= max(prices) + leeway:
                findings.fault(f"{name} cost {prices[0]:.1f} % by the venue, {outcome['market']} % by the record")
            else:
                priced += 1
    findings.verify(f"{compared} outcomes and {priced} prices are those of the venue", before)


# ---- What an earlier run has kept ----


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


def check_kept(findings, chain, kept):
    if kept is None:
        return findings.verified.append("there was no head of an earlier run to compare with")
    before, entries = len(findings.faults), kept["entries"]
    if entries > chain.last:
        text = f"the chain had {entries} entries on {kept['at']}, and ends with entry {chain.last} now"
        findings.fault(text)
    elif entries > 0 and chain.hash_of(entries) != kept["head"]:
        findings.fault(f"history was rewritten: entry {entries} had another hash on {kept['at']}")
    findings.verify(f"entries 1 to {entries} are those of {kept['at']}", before)


def keep(path, base_url, chain):
    # Written beside and moved, so that an interruption loses no head.
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump({"base_url": base_url, "entries": chain.last, "head": chain.head, "at": iso(chain.now)}, file)
    os.replace(path + ".new", path)


# ---- All of it ----


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="URL reports")
    parser.add_argument("--ca")
    parser.add_argument("--gamma", action="store_true")
    parser.add_argument("--gamma-url", default="https://gamma-api.polymarket.com")
    parser.add_argument("--clob-url", default="https://clob.polymarket.com")
    parser.add_argument("--head", default="council-record-head.json")
    asked = parser.parse_intermixed_args()
    default = os.environ.get("COUNCIL_BASE_URL", "http://127.0.0.1:3000")
    asked.url, asked.reports = asked.words[0] if asked.words else default, asked.words[1:]
    return asked


def main(asked):
    service, findings = Service(asked.url), Findings()
    if asked.ca is not None and not os.path.isfile(asked.ca):
        sys.exit(f"{asked.ca} cannot be read: name a file with certificates.")
    kept = read_kept(asked.head, service.base_url)
    reports = read_reports(asked.reports, service.read("/api/reports/sample", or_none=True))
    venue = Venue(asked.gamma_url, asked.clob_url) if asked.gamma else None
    # What is published first must be in the chain that is read afterwards.
    record, receipts, rows = read_published(service)
    simulated = record["simulated"]
    chain = Chain(findings, time.time())
    read_chain(service, chain)
    check_counts(findings, service, chain, record, rows)
    chain.check_ends()
    proven = check_receipts(findings, chain, receipts, Authority(asked.ca))
    check_rows(findings, chain, rows, simulated)
    check_stamped(findings, chain, rows, proven, record.get("proof"), venue)
    check_figures(findings, record, rows)
    check_ungraded(findings, chain, rows, simulated, venue)
    if venue is not None:
        check_venue(findings, rows, venue)
    check_reports(findings, chain, reports)
    check_kept(findings, chain, kept)
    findings.print()
    if findings.faults:
        sys.exit("The record does not hold. The kept head is unchanged.")
    keep(asked.head, service.base_url, chain)
    print(f"Nothing is false. The head is kept in {asked.head}: {chain.head}")
    sys.exit(3 if findings.unproven else 0)


if __name__ == "__main__":
    try:
        main(options())
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        sys.exit(f"The service answers in a form that this program does not know ({error!r}).")
