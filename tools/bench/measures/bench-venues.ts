import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { saveKalshiEvents } from '../../../db/market/kalshi-events.js';
import { createKalshiEventList } from '../../../markets/kalshi/list-kalshi-events.js';
import { kalshiRequests, polymarketRequests } from '../../../purchase/limits.js';
import type { VenuesControl } from '../../../simulator/venues/handle-control.js';
import type { SimulatedVenue, VenueRequest } from '../../../simulator/venues/request-log.js';
import { startVenues, type Venues } from '../../../simulator/venues/start-venues.js';
import { buyReport, gradeEvent, type Search, searchFor } from '../load/venue-callers.js';
import { type Measured, percentile, rounded, type Table } from '../results/measurement.js';
import { seedCallers } from '../services/seed-callers.js';
import { type BenchedService, withService } from '../services/with-service.js';

interface Phase {
  readonly name: string;
  readonly hangs: SimulatedVenue | null;
  /** Events of which a report is bought: five in all, because an account may start no more runs an hour. */
  readonly buys: readonly string[];
  /** Events that end, and whose earlier report is graded. */
  readonly grades: readonly string[];
}

/** A minute each. A venue that hangs answers nothing. */
const phases: readonly Phase[] = [
  { name: 'both answer', hangs: null, buys: ['910001', 'kalshi:KXSIMCUT-31MAR'], grades: [] },
  { name: 'Kalshi hangs', hangs: 'kalshi', buys: ['910003'], grades: ['910001'] },
  { name: 'both answer', hangs: null, buys: ['kalshi:KXSIMGAS-31MAR'], grades: ['910003'] },
  {
    name: 'Polymarket hangs',
    hangs: 'polymarket',
    buys: ['kalshi:KXSIMCUP-31'],
    grades: ['kalshi:KXSIMCUT-31MAR'],
  },
  { name: 'both answer', hangs: null, buys: [], grades: [] },
];
const phaseMs = 60_000;
/** A purchase and a grade begin when the pauses and patience of the venue's client have taken effect. */
const beginAfterMs = 20_000;

const ends: Readonly<Record<string, (control: VenuesControl) => void>> = {
  '910001': ({ movePolymarket }) => movePolymarket('910101', { status: 'resolved', price: 1 }),
  '910003': ({ movePolymarket }) => movePolymarket('910301', { status: 'resolved', price: 1 }),
  'kalshi:KXSIMCUT-31MAR': ({ moveKalshi }) =>
    moveKalshi('KXSIMCUT-31MAR-YES', { status: 'finalized', result: 'yes', value: '1.0000' }),
};

/**
 * Measures how often ten callers who search both venues make the service ask each of them, and what searches, purchases
 * and grades at one venue notice of a minute in which the other answers nothing. The venues are simulated, with their
 * limits.
 */
export async function benchVenues(env: NodeJS.ProcessEnv): Promise<Measured> {
  const venues = await startVenues({ now: Date.now });
  const settings = {
    MARKETS: 'polymarket,kalshi',
    POLYMARKET_GAMMA_URL: venues.gammaUrl,
    POLYMARKET_DATA_URL: venues.dataUrl,
    POLYMARKET_CLOB_URL: venues.clobUrl,
    KALSHI_API_URL: venues.kalshiUrl,
  };
  try {
    return await withService(env, { settings }, service => measure(service, venues));
  } finally {
    await venues.close();
  }
}

interface PhaseResult {
  readonly phase: Phase;
  readonly searches: readonly Search[];
  readonly purchasesMs: readonly number[];
  readonly gradesMs: readonly number[];
}

async function measure(service: BenchedService, venues: Venues): Promise<Measured> {
  await fillIndex(service, venues);
  const [buyer] = await seedCallers(service.database.db, 1);
  const connection = await Connection.connect({ address: service.temporalAddress });
  const client = new Client({ connection, namespace: service.manifest.namespace });
  const results: PhaseResult[] = [];
  const startMs = Date.now();
  for (const phase of phases) {
    venues.control.clearFaults();
    if (phase.hangs !== null) venues.control.setFault(phase.hangs, 'hang', phaseMs);
    const [searches, done] = await Promise.all([
      searchFor(service.url, phaseMs),
      workOf(phase, { service, venues, client, apiKey: buyer?.apiKey ?? '' }),
    ]);
    results.push({ phase, searches, ...done });
  }
  await connection.close();
  return resultOf(
    results,
    venues.requests.filter(request => request.startedAt >= startMs),
  );
}

interface Workplace {
  readonly service: BenchedService;
  readonly venues: Venues;
  readonly client: Client;
  readonly apiKey: string;
}

/** One purchase and one grade after the other. @returns how long each took, in ms */
async function workOf({ buys, grades }: Phase, { service, venues, client, apiKey }: Workplace) {
  await pause(beginAfterMs);
  const purchasesMs: number[] = [];
  for (const eventId of buys) purchasesMs.push(await buyReport(service.url, apiKey, eventId));
  const gradesMs: number[] = [];
  for (const eventId of grades) {
    ends[eventId]?.(venues.control);
    gradesMs.push(await gradeEvent(service, client, eventId));
  }
  return { purchasesMs, gradesMs };
}

/** As the worker's duty does. */
async function fillIndex({ database }: BenchedService, { kalshiUrl }: Venues): Promise<void> {
  const list = createKalshiEventList({ baseUrl: kalshiUrl, fetch, timeoutMs: 5_000 });
  const { events } = await list.read({ cursor: null, changedSince: null });
  await saveKalshiEvents(database.db, events, new Date());
  // The venue counts this request, too.
  await pause(kalshiRequests.spacingMs);
}

function resultOf(results: readonly PhaseResult[], requests: readonly VenueRequest[]): Measured {
  const kalshi = rateOf(requests, 'kalshi');
  const polymarket = rateOf(requests, 'polymarket');
  const closest = closestMs(requests.filter(({ venue }) => venue === 'kalshi'));
  const allowed = polymarketRequests.burst + polymarketRequests.perSecond * burstSeconds;
  const refused = requests.filter(({ status }) => status === 429).length;
  return {
    figures: {
      kalshi,
      polymarket,
      kalshi_end_to_start_ms_least: closest,
      answered_429: refused,
      phases: results.map(figuresOf),
    },
    table: tableOf(results),
    goals: [
      { what: 'requests to Kalshi at once, at most', value: kalshi.at_once_most, atMost: 1 },
      {
        what: 'ms between the end of a request to Kalshi and the next, at least',
        value: closest,
        atLeast: kalshiRequests.spacingMs - clockToleranceMs,
      },
      {
        what: `requests to Polymarket in ${burstSeconds} s, at most`,
        value: polymarket.in_10_s_most,
        atMost: allowed,
      },
      { what: 'requests that a venue refused as too many', value: refused, atMost: 0 },
      { what: 'searches that failed', value: failed(results), atMost: 0 },
    ],
  };
}

const burstSeconds = 10;
/** The venue sees an end earlier or later than the service, which sends and reads it. */
const clockToleranceMs = 20;

function rateOf(all: readonly VenueRequest[], venue: SimulatedVenue) {
  const requests = all.filter(request => request.venue === venue);
  const within = (windowMs: number) =>
    Math.max(
      0,
      ...requests.map(
        ({ startedAt }) =>
          requests.filter(each => each.startedAt >= startedAt && each.startedAt < startedAt + windowMs)
            .length,
      ),
    );
  return {
    requests: requests.length,
    a_second_mean: rounded(requests.length / ((phases.length * phaseMs) / 1_000)),
    in_1_s_most: within(1_000),
    in_10_s_most: within(burstSeconds * 1_000),
    at_once_most: Math.max(0, ...requests.map(({ atOnce }) => atOnce)),
  };
}

/** The least time between the end of a request and the start of the next. */
function closestMs(requests: readonly VenueRequest[]): number {
  const gaps = requests
    .slice(1)
    .map(({ startedAt }, index) => startedAt - (requests[index]?.endedAt ?? startedAt));
  return Math.min(...gaps);
}

function figuresOf({ phase, searches, purchasesMs, gradesMs }: PhaseResult) {
  const times = searches.map(({ ms }) => ms);
  const count = (is: (search: Search) => boolean) => searches.filter(is).length;
  return {
    name: phase.name,
    searches: searches.length,
    p50_ms: rounded(percentile(times, 0.5), 0),
    p95_ms: rounded(percentile(times, 0.95), 0),
    failed: count(({ status }) => status !== 200),
    without_polymarket: count(({ unavailable }) => unavailable.includes('polymarket')),
    without_kalshi: count(({ unavailable }) => unavailable.includes('kalshi')),
    purchases_ms: purchasesMs.map(Math.round),
    grades_ms: gradesMs.map(Math.round),
  };
}

const failed = (results: readonly PhaseResult[]) =>
  results.flatMap(({ searches }) => searches).filter(({ status }) => status !== 200).length;

function tableOf(results: readonly PhaseResult[]): Table {
  return {
    head: [
      'a minute in which',
      'searches',
      'ms',
      'failed',
      'without Polymarket / Kalshi',
      'reports bought, ms',
      'reports graded, ms',
    ],
    rows: results
      .map(figuresOf)
      .map(row => [
        row.name,
        row.searches,
        `${row.p50_ms} / ${row.p95_ms}`,
        row.failed,
        `${row.without_polymarket} / ${row.without_kalshi}`,
        row.purchases_ms.join(', '),
        row.grades_ms.join(', '),
      ]),
  };
}
