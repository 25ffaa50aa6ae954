import { createHash } from 'node:crypto';
import { presentTrackRecordRow } from '../../../api/present/track-record.js';
import { trackRecord } from '../../../record/figures/track-record.js';
import { type Grade, gradeForecast, graderVersion } from '../../../record/grades/grade.js';
import { shownGrounds } from '../../support/record/grounds.js';
import type { DatedAuthority } from '../../support/timestamps/dated-authority.js';
import { evidenceOf, iso, type Sale } from './history.js';

/** An entry of the chain before it is numbered. Times are in milliseconds since 1970. */
interface Fact {
  readonly kind: 'sold' | 'completed' | 'failed';
  readonly report: number;
  readonly time: number;
  readonly opensBy: number;
  readonly isOpen: boolean;
  readonly simulated: boolean;
  readonly content: object;
}

interface Numbered {
  readonly number: number;
  readonly hash: string;
  readonly previous_hash: string;
  readonly time: string;
}

/** What the public API of a service answers, as JSON, and what strangers can compare it with. */
export interface Published {
  readonly record: any;
  readonly chain: any[];
  readonly timestamps: any[];
  readonly rows: any[];
  /** Each report as its buyer has saved it, by id. */
  readonly saved: Readonly<Record<number, any>>;
  /** Markets and price histories as the venue knows them, by path. */
  readonly venue: Readonly<Record<string, any>>;
}

export interface PublishOptions {
  readonly now: number;
  readonly authority: DatedAuthority;
  /** `once`: no earlier receipt exists, as after a rewrite. */
  readonly receipts?: 'regular' | 'once';
}

const [hour, day] = [3_600_000, 86_400_000];
const opensAfterClose = 30 * day;
const entriesPerReceipt = 24;

/** Everything that a service with this history publishes: consistent in itself, whether or not it happened. */
export async function publish(sales: readonly Sale[], options: PublishOptions): Promise<Published> {
  const { now, receipts } = options;
  const facts = sales.flatMap(sale => factsOf(sale, now)).sort((a, b) => a.time - b.time);
  const chain = chained(facts);
  const rows = sales.flatMap(sale => rowOf(sale, now));
  const timestamps = await receiptsOf(chain, options);
  return {
    record: recordOf({ sales, chain, graded: rows, isStamped: receipts !== 'once', now }),
    chain,
    timestamps,
    rows: rows.map(({ row }) => row),
    saved: Object.fromEntries(sales.map(sale => [sale.forecast.report_id, savedReport(sale, chain, facts)])),
    venue: venueOf(sales),
  };
}

function factsOf(sale: Sale, now: number): Fact[] {
  const { forecast, soldAt, endedAt, closesAt } = sale;
  const { report_id: report, simulated } = forecast;
  const shared = { report, simulated, opensBy: closesAt + opensAfterClose, isOpen: closesAt < now };
  const sold = {
    record: 'sale/1',
    report_id: report,
    event_id: forecast.event_id,
    event_title: forecast.event_title,
    closes_at: iso(closesAt),
    market_ids: Object.keys(sale.outcomes),
    sold_at: iso(soldAt),
  };
  const failed = { record: 'failure/1', report_id: report, code: 'internal' };
  const end = sale.end === 'completed' ? forecast : failed;
  const opened = sale.end === 'completed' ? shared : { ...shared, opensBy: endedAt, isOpen: true };
  return [
    { ...shared, kind: 'sold', time: soldAt, content: sold },
    { ...opened, kind: sale.end, time: endedAt, content: end },
  ];
}

function chained(facts: readonly Fact[]): any[] {
  const sales = new Map<number, number>();
  let previous = '0'.repeat(64);
  return facts.map(({ kind, report, time, opensBy, isOpen, simulated, content }, index) => {
    const number = index + 1;
    if (kind === 'sold') sales.set(report, number);
    const salt = sha256(`salt ${report} ${kind}`);
    const payload = JSON.stringify(content);
    const entry = {
      number,
      version: 2,
      kind,
      sale: kind === 'sold' ? null : sales.get(report),
      time: iso(time),
      opens_by: iso(opensBy),
      previous_hash: previous,
      simulated,
      commitment: sha256(Buffer.from(salt, 'hex'), payload),
      salt: isOpen ? salt : null,
      payload: isOpen ? payload : null,
    };
    previous = hashOf(entry);
    return { ...entry, hash: previous };
  });
}

/** The hash that an entry with this content must have. */
function hashOf(entry: any): string {
  return sha256(bytesOf(entry));
}

function bytesOf(entry: any): string {
  const { version, number, kind, sale, time, opens_by, simulated, previous_hash, commitment } = entry;
  const label = simulated ? 'simulated' : 'live';
  const lines = version === 1 ? [number, time, label] : [number, kind, sale ?? '-', time, opens_by, label];
  return [`record-entry/${version}`, ...lines, previous_hash, commitment].join('\n');
}

/** Hashes a changed chain again, each entry on the one before. */
export function rehash(chain: any[]): void {
  let previous = '0'.repeat(64);
  for (const entry of chain) {
    entry.previous_hash = previous;
    previous = entry.hash = hashOf(entry);
  }
}

function sha256(...parts: (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

async function receiptsOf(
  chain: readonly any[],
  { authority, receipts, now }: PublishOptions,
): Promise<any[]> {
  const last = chain.length;
  const stamped = chain.filter(
    ({ number }) => number === last || (receipts !== 'once' && number % entriesPerReceipt === 0),
  );
  return Promise.all(
    stamped.map((entry, index) =>
      receiptOf(entry, {
        id: index + 1,
        authority,
        at: receipts === 'once' ? now : Date.parse(entry.time) + 1_000,
      }),
    ),
  );
}

export async function receiptOf(
  entry: Numbered,
  { id, authority, at }: { id: number; authority: DatedAuthority; at: number },
): Promise<any> {
  const token = await authority.stamp(Buffer.from(bytesOf(entry)), new Date(at));
  const { number, hash } = entry;
  return { id, number, hash, time: iso(at), authority: authorityUrl, token: token.toString('base64') };
}

const authorityUrl = 'https://timestamps.example/tsr';

interface GradedSale {
  readonly sale: Sale;
  readonly grade: Grade;
  readonly row: any;
}

/** Graded an hour after the market had its answer, which it had an hour after its trading ended. */
function rowOf(sale: Sale, now: number): GradedSale[] {
  const { forecast, closesAt, outcomes } = sale;
  const [observedAt, gradedAt] = [resolvedAt(closesAt), new Date(closesAt + 2 * hour)];
  const grade = gradeForecast(forecast, outcomes);
  if (sale.end === 'failed' || gradedAt.getTime() > now || grade === 'pending') return [];
  const markets = Object.entries(outcomes).map(([market_id, resolution]) => ({ market_id, resolution }));
  const evidence = { source: 'polymarket', status: 'closed', closes_at: iso(closesAt), markets };
  const row = presentTrackRecordRow({
    reportId: forecast.report_id,
    forecast,
    ...grade,
    grader: graderVersion,
    gradedAt,
    resolvedAt: observedAt,
    rulesChanged: false,
    resolution: { firstObservedAt: observedAt, outcomes, evidence },
  });
  return [{ sale, grade, row }];
}

export function resolvedAt(closesAt: number): Date {
  return new Date(closesAt + hour);
}

interface RecordInput {
  readonly sales: readonly Sale[];
  readonly chain: readonly any[];
  readonly graded: readonly GradedSale[];
  /** Whether each forecast has a receipt from before its outcome. */
  readonly isStamped: boolean;
  readonly now: number;
}

function recordOf({ sales, chain, graded, isStamped, now }: RecordInput): any {
  const of = (state: string) => graded.filter(({ grade }) => grade.state === state).length;
  const completed = sales.filter(({ end }) => end === 'completed').length;
  const states = {
    graded: of('graded'),
    void: of('void'),
    fifty_fifty: of('fifty_fifty'),
    disputed: of('disputed'),
  };
  const counts = {
    sold: sales.length,
    completed,
    ...states,
    pending: completed - graded.length,
    failed: sales.length - completed,
  };
  const rows = graded.map(({ sale: { forecast, closesAt }, grade }) => ({
    forecast,
    ...grade,
    resolvedAt: resolvedAt(closesAt),
    rulesChanged: false,
  }));
  return {
    simulated: chain[0]?.simulated ?? true,
    ...trackRecord(rows, counts, iso(now)),
    record: { entries: chain.length, head: chain.at(-1)?.hash ?? null },
    proof: {
      authority: authorityUrl,
      graded: states.graded,
      stamped_before_outcome: isStamped ? states.graded : 0,
      unproven: isStamped ? 0 : states.graded,
      overdue: 0,
    },
  };
}

function savedReport({ forecast, end }: Sale, chain: readonly any[], facts: readonly Fact[]): any {
  const { report_id: id, outcomes, action, evidence } = forecast;
  const { number: seq, hash } = chain[facts.findIndex(fact => fact.report === id && fact.kind === end)];
  const percents = (of: 'council' | 'market' | 'estimate') =>
    Object.fromEntries(outcomes.map(outcome => [outcome.name, outcome[of]]));
  const { confidence, ...grounds } = shownGrounds(forecast);
  const runtime = {
    ...grounds.runtime,
    models: Object.keys(outcomes[0]?.first_members ?? {}),
    method: { name: forecast.method },
    exclusive: forecast.exclusive,
    degraded: forecast.degraded,
    consensus_market_conflict: forecast.conflict,
    market_probabilities: percents('council'),
    market_implied_probabilities: percents('market'),
    evidence,
    estimate: forecast.estimate_weights && { probabilities: percents('estimate') },
    top_bets: forecast.bets,
  };
  return {
    id,
    status: end,
    action,
    confidence,
    council_config: { runtime },
    deliberation: { ...grounds.deliberation, evidence: evidence && evidenceOf(evidence) },
    record: { seq, hash },
  };
}

function venueOf(sales: readonly Sale[]): Record<string, any> {
  const venue: Record<string, any> = {};
  for (const { forecast, outcomes, closesAt } of sales) {
    for (const [market, resolution] of Object.entries(outcomes)) {
      const prices = { yes: ['1', '0'], no: ['0', '1'], fifty_fifty: ['0.5', '0.5'] }[resolution as string];
      venue[`/markets/${market}`] = {
        closed: true,
        closedTime: iso(closesAt).replace('T', ' ').replace(/\..*/, '+00'),
        outcomePrices: JSON.stringify(prices ?? ['0', '0']),
        clobTokenIds: JSON.stringify([`yes-${market}`, `no-${market}`]),
      };
    }
    for (const { market_id: market, market: price } of forecast.outcomes) {
      const history = (venue[`/prices-history?market=yes-${market}`] ??= { history: [] });
      if (price !== null) history.history.push({ t: Date.parse(forecast.prices_at) / 1_000, p: price / 100 });
    }
  }
  return venue;
}
