import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import type { regrade } from '../../../workflows/regrade.js';
import type { BenchedService } from '../services/with-service.js';

const callersAtOnce = 10;
const thinkMs = 1_000;

export interface Search {
  readonly ms: number;
  readonly status: number;
  readonly found: readonly string[];
  readonly unavailable: readonly string[];
}

const listShape = z.object({
  events: z.array(z.object({ venue: z.string() })),
  unavailable: z.array(z.string()),
});

/** Ten callers who search all venues. No two searches are equal within the time that an answer is kept. */
export async function searchFor(url: string, durationMs: number): Promise<readonly Search[]> {
  const untilMs = performance.now() + durationMs;
  const searches: Search[] = [];
  const caller = async (index: number) => {
    for (let round = 0; performance.now() < untilMs; round += 1) {
      searches.push(await search(url, queryOf(index + callersAtOnce * round)));
      await pause(thinkMs);
    }
  };
  await Promise.all(Array.from({ length: callersAtOnce }, (_, index) => caller(index)));
  return searches;
}

const words = [
  'simulated',
  '2031',
  'march 2031',
  'rugby',
  'rate',
  'cut',
  'cup',
  'fed',
  'world cup',
  'winner',
];
const pageSizes = 50;

function queryOf(number: number): string {
  const query = {
    search: words[number % words.length] ?? '',
    per_page: String(1 + (Math.floor(number / words.length) % pageSizes)),
  };
  return new URLSearchParams(query).toString();
}

async function search(url: string, query: string): Promise<Search> {
  const sentMs = performance.now();
  const response = await fetch(`${url}/api/events?${query}`);
  const body = listShape.safeParse(await response.json());
  return {
    ms: performance.now() - sentMs,
    status: response.status,
    found: body.data?.events.map(({ venue }) => venue) ?? [],
    unavailable: body.data?.unavailable ?? [],
  };
}

const receiptShape = z.object({ report_id: z.number() });
const reportShape = z.object({ status: z.enum(['pending', 'processing', 'completed', 'failed']) });

/** Buys a fresh report and waits for it. @returns how long both took, in ms @throws if it does not complete */
export async function buyReport(url: string, apiKey: string, eventId: string): Promise<number> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', prefer: 'wait=30' };
  const startMs = performance.now();
  const sold = await fetch(`${url}/api/reports`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ event_id: eventId }),
  });
  const text = await sold.text();
  if (!sold.ok) throw new Error(`the purchase of ${eventId} failed with ${sold.status}: ${text}`);
  const { report_id: id } = receiptShape.parse(JSON.parse(text));
  for (;;) {
    const answer = await fetch(`${url}/api/reports/${id}`, { headers });
    const { status } = reportShape.parse(await answer.json());
    if (status === 'failed') throw new Error(`the report on ${eventId} failed`);
    if (status === 'completed') break;
  }
  return performance.now() - startMs;
}

/** Grades all that is due. @returns after how long the report on this event had its grade, in ms */
export async function gradeEvent(
  { database: { db }, manifest }: BenchedService,
  client: Client,
  eventId: string,
): Promise<number> {
  const startMs = performance.now();
  await client.workflow.start<typeof regrade>('regrade', {
    workflowId: `regrade/bench/${eventId}`,
    taskQueue: manifest.task_queue,
    args: [{ selection: { kind: 'due' }, settings: manifest.grading }],
  });
  for (;;) {
    const graded = await db
      .selectFrom('grades')
      .innerJoin('reports', 'reports.id', 'grades.report_id')
      .select('grades.id')
      .where('reports.event_id', '=', eventId)
      .executeTakeFirst();
    if (graded !== undefined) return performance.now() - startMs;
    await pause(pollEveryMs);
  }
}

const pollEveryMs = 20;
