/**
 * Has a report made and prints its verdict. Nothing is needed but Node's own `fetch`.
 *
 *   COUNCIL_API_KEY=pc_live_… node report.ts "fed cut" 150
 *
 * Node 22.18 runs this file as it is; for an older one compile it first. The second argument is the most that you are
 * willing to pay, in credits. COUNCIL_BASE_URL says where the service is, unless it is on this machine.
 */
const baseUrl = process.env['COUNCIL_BASE_URL'] ?? 'http://127.0.0.1:3000';
const apiKey = process.env['COUNCIL_API_KEY'] ?? '';
const [search = 'fed cut', maxCredits = '150'] = process.argv.slice(2);

interface Answers {
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

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

async function ask<Kind extends keyof Answers>(path: string, init: Asked = {}): Promise<Answers[Kind]> {
  const response = await fetch(baseUrl + path, {
    ...init,
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json', ...init.headers },
  });
  // Every error has a `code` to branch on and a `detail` to read.
  if (!response.ok) {
    const problem = (await response.json()) as { code: string; detail: string };
    throw new Error(`${problem.code}: ${problem.detail}`);
  }
  return (await response.json()) as Answers[Kind];
}

// 1. Find the event.
const [event] = (await ask<'events'>(`/api/events?search=${encodeURIComponent(search)}`)).events;
if (event === undefined) throw new Error(`Nothing open matches "${search}".`);

// 2. What would it cost? Asking spends nothing.
const { cost_credits: cost } = await ask<'check'>(`/api/reports/check/${encodeURIComponent(event.event_id)}`);
if (cost > Number(maxCredits)) throw new Error(`It costs ${cost} credits; you allow ${maxCredits}.`);

// 3. Buy at that price. The key makes the request safe to repeat: it is charged once.
const receipt = await ask<'receipt'>('/api/reports', {
  method: 'POST',
  headers: { 'Idempotency-Key': crypto.randomUUID() },
  body: JSON.stringify({ event_id: event.event_id, quoted_credits: cost }),
});

// 4. Wait for the end. Each answer is held until something has changed.
let report: Answers['report'];
do {
  report = await ask<'report'>(`/api/reports/${receipt.report_id}`, { headers: { Prefer: 'wait=30' } });
} while (report.status === 'pending' || report.status === 'processing');

// 5. Read it. What was charged for a failed run has been given back already.
if (report.status === 'failed') throw new Error(`The run failed: ${report.failure?.detail}`);
const { degraded, consensus_market_conflict: conflict } = report.council_config.runtime;
console.log(event.title);
console.log(
  `${report.action} on ${report.queried_market}: ${report.probability} %, confidence ${report.confidence}`,
);
if (degraded) console.log('A model was lost on the way: read the report before you rely on it.');
if (conflict) console.log('Council and market disagree so much that the market leads, and no bet is named.');
console.log(report.summary);
console.log(`Report ${receipt.report_id}, ${receipt.credits_spent} credits. ${report.disclaimer}`);
