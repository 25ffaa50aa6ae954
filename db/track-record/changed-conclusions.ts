import { isDeepStrictEqual } from 'node:util';
import { subjectIndex } from '../../council/market/outcome-set.js';
import { parseRecordedForecast } from '../../record/parse-recorded-forecast.js';
import type { RecordedForecast, RecordedOutcome } from '../../record/recorded-forecast.js';
import type { Tx } from '../database.js';
import { jsonSha256 } from '../digests.js';

/** Keeps a page small: a conclusion holds all evidence of its report. */
const pageSize = 200;

/**
 * One sentence for each report whose stored conclusion is not the one that its entry has frozen: another number, text or
 * bet, or other evidence; or whose entry is no forecast. In this process and not in SQL: evidence is text from the web, and
 * PostgreSQL refuses to read JSON with `\u0000` or half a surrogate pair anywhere in it, so that one page could end every
 * verification.
 */
export async function changedConclusions(tx: Tx): Promise<string[]> {
  const faults: string[] = [];
  for (let after = 0; ; ) {
    const page = await tx
      .selectFrom('record_entries as entry')
      .innerJoin('reports as report', 'report.id', 'entry.report_id')
      .select(['entry.seq', 'report.id', 'entry.payload', 'report.conclusion'])
      .where('entry.seq', '>', after)
      .where('entry.kind', '=', 'completed')
      .where('report.status', '=', 'completed')
      .orderBy('entry.seq')
      .limit(pageSize)
      .execute();
    for (const { seq, id, payload, conclusion } of page) {
      after = seq;
      const forecast = parseRecordedForecast(payload);
      if (forecast === null) faults.push(`report ${id} has an entry in the record that cannot be read`);
      else if (!contains(conclusion, conclusionOf(forecast)))
        faults.push(`report ${id} has another forecast than the record`);
      else if (evidenceDiffers(forecast, conclusion))
        faults.push(`report ${id} has other evidence than the record`);
    }
    if (page.length < pageSize) return faults;
  }
}

/**
 * What an entry says of the conclusion of its report. Undefined is a field that the conclusion must not have: no bet has
 * the id of its market, and no report of `council/1` the added numbers.
 */
function conclusionOf(forecast: RecordedForecast) {
  const { action, queried_market, confidence, exclusive, headline, estimate_weights: weights } = forecast;
  const { outcomes, outside_view, resolution_risk, market_gap } = forecast;
  const bets = forecast.bets.map(bet => ({ ...bet, market_id: undefined }));
  return {
    action,
    queried_market,
    probability: probabilityOf(forecast),
    ...(confidence === undefined ? {} : { confidence }),
    runtime: {
      exclusive,
      degraded: forecast.degraded,
      simulated: forecast.simulated,
      prices_at: forecast.prices_at,
      consensus_market_conflict: forecast.conflict,
      most_likely_outcome: headline.outcome,
      most_likely_probability: headline.percent,
      most_likely_source: headline.source,
      market_probabilities: byName(outcomes, 'council'),
      market_implied_probabilities: byName(outcomes, 'market'),
      estimate: weights && { weights, probabilities: byName(outcomes, 'estimate') },
      top_bets: bets,
      best_edge: bets[0] ?? null,
      method: { name: forecast.method },
      subject: outside_view && subjectOf(forecast),
      outside_view,
      resolution_risk,
      market_gap,
    },
  };
}

function byName(outcomes: readonly RecordedOutcome[], of: 'council' | 'market' | 'estimate') {
  return Object.fromEntries(outcomes.map(outcome => [outcome.name, outcome[of]]));
}

/** Of the YES of the queried market: the market's in conflict, otherwise the council's. */
function probabilityOf({
  outcomes,
  queried_market: queried,
  conflict,
}: RecordedForecast): number | undefined {
  const hasTwoSides = outcomes.some(({ side }) => side === 'no');
  const yes = hasTwoSides ? outcomes[0] : outcomes.find(({ name }) => name === queried);
  return (conflict ? yes?.market : null) ?? yes?.council;
}

/** It follows from the entry, which therefore does not name it, like the probability. */
function subjectOf({ exclusive, outcomes }: RecordedForecast): string | undefined {
  const percents = outcomes.map(({ council }) => council);
  return outcomes[subjectIndex(exclusive, percents)]?.name;
}

/**
 * Whether `stored` has everything that is expected, and as many entries in each list; an object may have more.
 * @param stored any JSON at all, if somebody changed it
 */
function contains(stored: unknown, expected: unknown): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(stored) &&
      stored.length === expected.length &&
      expected.every((each, index) => contains(stored[index], each))
    );
  if (!isObject(expected)) return stored === expected;
  return isObject(stored) && Object.entries(expected).every(([key, value]) => contains(stored[key], value));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The parts of a stored conclusion that tell of its evidence. */
type Stored = { readonly evidence?: unknown; readonly runtime?: { readonly evidence?: unknown } } | null;

/** The hash is of what the report publishes: the same bytes as when it was frozen, because JSON keeps its order. */
function evidenceDiffers({ evidence: recorded }: RecordedForecast, stored: Stored): boolean {
  const published = stored?.evidence ?? null;
  const sha256 = published && jsonSha256(published);
  return (
    !isDeepStrictEqual(stored?.runtime?.evidence ?? null, recorded) || sha256 !== (recorded?.sha256 ?? null)
  );
}
