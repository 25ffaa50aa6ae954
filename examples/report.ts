/**
 * Buys a report and prints its verdict. Needs Node.js, no packages.
 *
 *   COUNCIL_API_KEY=pc_live_… node report.ts "fed cut" 150
 *   COUNCIL_API_KEY=pc_live_… node report.ts "fed cut" 0 3.00 subscription
 *
 * The arguments after the search are the price limit in credits, the price limit in dollars, which only a
 * subscription bills, and the lane: credits, subscription or byok. Without a lane, an account with a
 * subscription uses it. COUNCIL_BASE_URL is the address of the service, by default this machine. Node 22.18
 * and later run this file directly; for older versions compile it first.
 */
const baseUrl = process.env['COUNCIL_BASE_URL'] ?? 'http://127.0.0.1:3000';
const apiKey = process.env['COUNCIL_API_KEY'] ?? '';
const [search = 'fed cut', maxCredits = '150', maxUsd = '0', lane] = process.argv.slice(2);

interface Responses {
  events: { events: { event_id: string; title: string }[] };
  check: { cost_credits: number; price_usd_cents?: number; lane: string };
  receipt: { report_id: number; credits_spent: number; price_usd_cents?: number; pool: string | null };
  report: {
    status: 'pending' | 'processing' | 'completed' | 'failed';
    action: string;
    queried_market: string;
    probability: number;
    estimate: number | null;
    confidence: number;
    summary: string;
    failure: { detail: string } | null;
    council_config: { runtime: Runtime };
    deliberation: { evidence: Evidence | null; synthesis: Synthesis | null };
    disclaimer: string;
  };
}

interface Runtime {
  degraded: boolean;
  consensus_market_conflict: boolean;
  most_likely_outcome: string;
  subject: string | null;
  market_probabilities: Percents;
  market_implied_probabilities: Percents;
  estimate: { probabilities: Percents } | null;
}

/** What the members found. Cited, not verified. */
interface Evidence {
  status: 'searched' | 'partial' | 'none';
  items: { id: string; domain: string; published_at: string | null; title: string | null; url: string }[];
}

/** What would change the forecast, merged from what the members named. */
interface Synthesis {
  triggers: { if: string; by: string; direction: 'up' | 'down' }[];
}

type Percents = Record<string, number | null>;

interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Ends the program with one line on standard error. */
function refuse(line: string): never {
  console.error(line);
  process.exit(1);
}

async function send<Kind extends keyof Responses>(
  path: string,
  init: RequestOptions = {},
): Promise<Responses[Kind]> {
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json', ...init.headers };
  const response = await fetch(baseUrl + path, { ...init, headers }).catch(() =>
    refuse(`The service at ${baseUrl} cannot be reached.`),
  );
  if (response.ok) return (await response.json()) as Responses[Kind];
  if (response.headers.get('content-type')?.startsWith('application/problem+json') !== true)
    refuse(`The service at ${baseUrl} answered with an error that it does not document.`);
  // Every error has a `code` to branch on and a `detail` to read.
  const problem = (await response.json()) as { code: string; detail: string };
  refuse(`${problem.code}: ${problem.detail}`);
}

/** Prints a line. Titles, sources and answers are texts of others: none may control the terminal. */
function show(line: string): void {
  console.log(line.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ''));
}

const usd = (cents: number) => `${(cents / 100).toFixed(2)} USD`;

if (apiKey === '') refuse('Set COUNCIL_API_KEY to an API key of the service (pc_live_…).');
if (!/^\d{1,6}$/.test(maxCredits))
  refuse(`The limit in credits must be a whole number, not "${maxCredits}".`);
if (!/^\d{1,4}(\.\d{1,2})?$/.test(maxUsd))
  refuse(`The limit in dollars must be an amount like 3 or 3.00, not "${maxUsd}".`);
const maxUsdCents = Math.round(Number(maxUsd) * 100);

// 1. Find the event.
const [event] = (await send<'events'>(`/api/events?search=${encodeURIComponent(search)}`)).events;
if (event === undefined) refuse(`No open event matches "${search}".`);

// 2. Check the price. This is free. A subscription costs no credits: it bills `price_usd_cents`.
const query = lane === undefined ? '' : `?lane=${encodeURIComponent(lane)}`;
const check = await send<'check'>(`/api/reports/check/${encodeURIComponent(event.event_id)}${query}`);
const { cost_credits: cost, price_usd_cents: usdCents = 0 } = check;
if (cost > Number(maxCredits)) refuse(`The report costs ${cost} credits; the limit is ${maxCredits}.`);
if (usdCents > maxUsdCents)
  refuse(
    `The report costs ${usd(usdCents)} on the subscription; the limit is ${usd(maxUsdCents)}. The lane "credits" pays with credits.`,
  );

// 3. Buy it on the checked lane, with the checked price as quote: it never costs more. The Idempotency-Key
// makes retries safe: the report is charged once.
const receipt = await send<'receipt'>('/api/reports', {
  method: 'POST',
  headers: { 'Idempotency-Key': crypto.randomUUID() },
  body: JSON.stringify({
    event_id: event.event_id,
    lane: check.lane,
    quoted_credits: cost,
    quoted_usd_cents: usdCents,
  }),
});

// 4. Wait for the result. The API holds each response until the report changes.
let report: Responses['report'];
do {
  report = await send<'report'>(`/api/reports/${receipt.report_id}`, { headers: { Prefer: 'wait=30' } });
} while (report.status === 'pending' || report.status === 'processing');

// 5. Print the most likely outcome and the verdict, each with the estimate first (bets are priced by it), what
// would change the forecast, and the sources that members cite. A failed run costs nothing: what was taken is
// given back, and a subscription is not billed.
if (report.status === 'failed') refuse(`The run failed: ${report.failure?.detail}`);
const { runtime } = report.council_config;
const { degraded, consensus_market_conflict: conflict, market_probabilities: council } = runtime;
// Without an estimate of an outcome, the council's number stands for it.
const leading = { ...council, ...withoutNulls(runtime.estimate?.probabilities) };
const outcome = Object.keys(council).reduce((best, each) =>
  (leading[each] ?? 0) > (leading[best] ?? 0) ? each : best,
);
const percentIn = (percents: Percents = {}) =>
  typeof percents[outcome] === 'number' ? `${percents[outcome]} %` : 'none';
show(event.title);
show(
  `${outcome}: estimate ${percentIn(runtime.estimate?.probabilities)} ` +
    `(council, without seeing a price: ${percentIn(council)}; market: ${percentIn(runtime.market_implied_probabilities)})`,
);
show(
  `${report.action} on ${report.queried_market}: ` +
    `${report.estimate === null ? `no estimate without a firm price, probability ${report.probability} %` : `estimate ${report.estimate} %`} for YES, ` +
    `confidence ${report.confidence}`,
);
if (degraded) show('A model dropped out: read the report before you rely on it.');
if (conflict)
  show('Council and market disagree strongly: the estimate weighs both, and no bet is suggested.');
// Null: the members did not search.
const { evidence, synthesis } = report.deliberation;
if (evidence?.status === 'none') show('The members found no source: they answered from what they remember.');
show(report.summary);
// Null: the chairman's answer is missing. Reports of 1.0.0 have no triggers.
for (const { direction, by, if: event } of synthesis?.triggers ?? [])
  show(`${direction === 'up' ? 'More' : 'Less'} likely (${runtime.subject}) if by ${by}: ${event}`);
for (const { id, domain, published_at: date, title, url } of evidence?.items ?? [])
  show(`${id} ${domain}, ${date ?? 'undated'}: ${title ?? 'untitled'} ${url}`);
show(`Report ${receipt.report_id}, ${describeCharge(receipt)}. ${report.disclaimer}`);

function withoutNulls(percents: Percents = {}): Percents {
  return Object.fromEntries(Object.entries(percents).filter(([, percent]) => percent !== null));
}

function describeCharge({ price_usd_cents: cents = 0, credits_spent: credits, pool }: Responses['receipt']) {
  if (cents > 0) return `${usd(cents)}, billed to the subscription`;
  return credits > 0 ? `${credits} credits (${pool})` : 'owned already: nothing was charged';
}
