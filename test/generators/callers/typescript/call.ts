import { setTimeout } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

/** Buys a report with the types that openapi-typescript generated. Prints what the client read, as JSON. */

type Problem = components['schemas']['Problem'];
type Purchase = components['schemas']['Purchase'];
type Report = components['schemas']['Report'];

const { API_URL = '', API_KEY = '', EVENT_ID = '', UNPAID_EVENT_ID = '' } = process.env;
const client = createClient<paths>({ baseUrl: API_URL, headers: { 'X-API-Key': API_KEY } });

const { events } = read(await client.GET('/api/events', { params: { query: { per_page: 100 } } }));
const check = read(
  await client.GET('/api/reports/check/{event_id}', { params: { path: { event_id: EVENT_ID } } }),
);
const order = { event_id: EVENT_ID, quoted_credits: check.cost_credits, lane: check.lane };
const receipt = read(await buy(order));
const report = await readFinished(receipt.report_id);
const unknown = refusal(await client.GET('/api/reports/{id}', { params: { path: { id: 999_999_999 } } }));
const unpaid = refusal(await buy({ event_id: UNPAID_EVENT_ID }));

process.stdout.write(
  JSON.stringify({
    event_ids: events.map(({ event_id }) => event_id),
    sides: events[0]?.markets[0]?.outcomes,
    cost_credits: check.cost_credits,
    pool: receipt.pool,
    report_id: receipt.report_id,
    status: report.status,
    action: report.action,
    probability: report.probability,
    chairman: report.council_config.runtime?.chairman,
    evidence_status: report.council_config.runtime?.evidence?.status,
    sources: report.deliberation?.evidence?.items.map(({ id, domain }) => `${id} ${domain}`),
    cited: report.deliberation?.opinions.flatMap(({ evidence }) =>
      evidence.flatMap(({ sources }) => sources),
    ),
    unknown_is_not_found: unknown.code === 'not_found',
    unpaid_is_insufficient_credits: unpaid.code === 'insufficient_credits',
    missing_credits: missingCredits(unpaid),
  }),
);

/** A busy service refuses a purchase for some seconds and charges nothing. */
async function buy(body: Purchase) {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const answer = await client.POST('/api/reports', { body });
    if (answer.error?.code !== 'unavailable') return answer;
    await setTimeout(2_000);
  }
  throw new Error('still refused');
}

async function readFinished(id: number): Promise<Report> {
  for (;;) {
    const params = { path: { id }, header: { Prefer: 'wait=20' } };
    const report = read(await client.GET('/api/reports/{id}', { params }));
    if (report.status !== 'pending' && report.status !== 'processing') return report;
  }
}

function missingCredits({ cost_credits = 0, balance_credits = 0 }: Problem): number {
  return cost_credits - balance_credits;
}

function read<Data>({ data, error }: { data?: Data; error?: Problem }): Data {
  if (data === undefined) throw new Error(`refused: ${JSON.stringify(error)}`);
  return data;
}

function refusal({ error }: { error?: Problem }): Problem {
  if (error === undefined) throw new Error('not refused');
  return error;
}
