import { isDeepStrictEqual } from 'node:util';
import type { RecordedForecast } from '../../record/recorded-forecast.js';
import type { Tx } from '../database.js';
import { jsonSha256 } from '../digests.js';
import { forecastOf } from './track-record.js';

/** Keeps a page small: a conclusion holds all evidence of its report. */
const pageSize = 200;

/**
 * One sentence for each report whose stored conclusion is not the one that its entry has frozen: another action, percent or
 * bet, or other evidence. In this process and not in SQL: evidence is text from the web, and PostgreSQL refuses to
 * read JSON with `\u0000` or half a surrogate pair anywhere in it, so that one page could end every verification.
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
      const forecast = forecastOf(payload);
      if (forecastDiffers(forecast, conclusion))
        faults.push(`report ${id} has another forecast than the record`);
      else if (evidenceDiffers(forecast, conclusion))
        faults.push(`report ${id} has other evidence than the record`);
    }
    if (page.length < pageSize) return faults;
  }
}

/** A conclusion as it is stored now: any JSON at all, if somebody changed it. */
type Stored = {
  readonly action?: unknown;
  readonly evidence?: unknown;
  readonly runtime?: {
    readonly top_bets?: readonly StoredBet[];
    readonly market_probabilities?: Readonly<Record<string, unknown>>;
    readonly market_implied_probabilities?: Readonly<Record<string, unknown>>;
    readonly evidence?: unknown;
  };
} | null;

type StoredBet = Readonly<Partial<Record<(typeof betFields)[number], unknown>>>;

function forecastDiffers({ action, outcomes, bets }: RecordedForecast, stored: Stored): boolean {
  const { market_probabilities: council, market_implied_probabilities: market } = stored?.runtime ?? {};
  return (
    action !== stored?.action ||
    outcomes.some(each => each.council !== council?.[each.name] || each.market !== market?.[each.name]) ||
    betsDiffer(bets, stored?.runtime?.top_bets ?? [])
  );
}

const betFields = [
  'side',
  'market',
  'kind',
  'share_cost',
  'payout_per_dollar',
  'win_probability',
  'stake_fraction',
] as const satisfies (keyof RecordedForecast['bets'][number])[];

function betsDiffer(recorded: RecordedForecast['bets'], stored: readonly StoredBet[]): boolean {
  return (
    recorded.length !== stored.length ||
    recorded.some((bet, index) => betFields.some(field => bet[field] !== stored[index]?.[field]))
  );
}

/** The hash is of what the report publishes: the same bytes as when it was frozen, because JSON keeps its order. */
function evidenceDiffers({ evidence: recorded }: RecordedForecast, stored: Stored): boolean {
  const published = stored?.evidence ?? null;
  const sha256 = published && jsonSha256(published);
  return (
    !isDeepStrictEqual(stored?.runtime?.evidence ?? null, recorded) || sha256 !== (recorded?.sha256 ?? null)
  );
}
