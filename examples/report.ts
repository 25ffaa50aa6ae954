/**
 * Buys a report and prints its verdict. Needs Node.js, no packages.
 *
 *   COUNCIL_API_KEY=pc_live_… node report.ts "fed cut" 150
 *
 * Node 22.18 and later run this file directly; for older versions compile it first. The second argument is
 * the price limit in credits. COUNCIL_BASE_URL is the address of the service, by default this machine.
 */
const baseUrl = process.env['COUNCIL_BASE_URL'] ?? 'http://127.0.0.1:3000';
const apiKey = process.env['COUNCIL_API_KEY'] ?? '';
const [search = 'fed cut', maxCredits = '150'] = process.argv.slice(2);

interface Responses {
  events: { events: { event_id: string; title: string }[] };
  check: { cost_credits: number; already_purchased: boolean };
  receipt: { report_id: number; credits_spent: number };
  report: {
    status: 'pending' | 'processing' | 'completed' | 'failed';
    action: string;
    queried_market: string;
    probability: number;
    confidence: number;
    summary: string;
    failure: { detail: string } | null;
    council_config: { runtime: { degraded: boolean; consensus_market_conflict: boolean } };
    disclaimer: string;
  };
}

interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

async function send<Kind extends keyof Responses>(
  path: string,
  init: RequestOptions = {},
): Promise<Responses[Kind]> {
  const response = await fetch(baseUrl + path, {
    ...init,
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json', ...init.headers },
  });
  // Every error has a `code` to branch on and a `detail` to read.
  if (!response.ok) {
    const problem = (await response.json()) as { code: string; detail: string };
    throw new Error(`${problem.code}: ${problem.detail}`);
  }
  return (await response.json()) as Responses[Kind];
}

// 1. Find the event.
const [event] = (await send<'events'>(`/api/events?search=${encodeURIComponent(search)}`)).events;
if (event === undefined) throw new Error(`No open event matches "${search}".`);

// 2. Check the price. This is free.
const { cost_credits: cost } = await send<'check'>(
  `/api/reports/check/${encodeURIComponent(event.event_id)}`,
);
if (cost > Number(maxCredits))
  throw new Error(`The report costs ${cost} credits; the limit is ${maxCredits}.`);

// 3. Buy it with that price as `quoted_credits`. The Idempotency-Key makes retries safe: the report is
// charged once.
const receipt = await send<'receipt'>('/api/reports', {
  method: 'POST',
  headers: { 'Idempotency-Key': crypto.randomUUID() },
  body: JSON.stringify({ event_id: event.event_id, quoted_credits: cost }),
});

// 4. Wait for the result. The API holds each response until the report changes.
let report: Responses['report'];
do {
  report = await send<'report'>(`/api/reports/${receipt.report_id}`, { headers: { Prefer: 'wait=30' } });
} while (report.status === 'pending' || report.status === 'processing');

// 5. Print the verdict. A failed run has already been refunded.
if (report.status === 'failed') throw new Error(`The run failed: ${report.failure?.detail}`);
const { degraded, consensus_market_conflict: conflict } = report.council_config.runtime;
console.log(event.title);
console.log(
  `${report.action} on ${report.queried_market}: ${report.probability} %, confidence ${report.confidence}`,
);
if (degraded) console.log('A model dropped out: read the report before you rely on it.');
if (conflict)
  console.log('Council and market disagree strongly: the headline is the market’s and no bet is suggested.');
console.log(report.summary);
console.log(`Report ${receipt.report_id}, ${receipt.credits_spent} credits. ${report.disclaimer}`);
