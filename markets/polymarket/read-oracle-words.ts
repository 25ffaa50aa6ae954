import { z } from 'zod';
import type { Resolution } from '../../council/event.js';
import type { Decider, FinalWord } from '../../council/market/final-word.js';
import { MarketUnreadable } from '../event-source.js';
import type { VenueClient } from '../http/venue-client.js';
import { gammaMarketsOf } from './parse-gamma-event.js';
import { isoTime } from './parse-gamma-market.js';

/**
 * Reads Polymarket's final word about the markets of an event, from its data API. A market that the API does not know
 * has none.
 *
 * @param rawEvent the JSON of Gamma's `/events/{id}`, which names the condition of each market
 * @returns the words by market id
 * @throws MarketUnavailable
 */
export async function readOracleWords(
  client: VenueClient,
  rawEvent: unknown,
): Promise<Readonly<Record<string, FinalWord>>> {
  const markets = conditionsOf(rawEvent);
  const words = new Map<string, FinalWord>();
  for (let start = 0; start < markets.length; start += conditionsMax) {
    const part = markets.slice(start, start + conditionsMax);
    for (const row of await readRows(
      client,
      part.map(({ condition }) => condition),
    )) {
      words.set(row.condition_id.toLowerCase(), wordOf(row));
    }
  }
  return Object.fromEntries(
    markets.flatMap(({ marketId, condition }) => {
      const word = words.get(condition);
      return word === undefined ? [] : [[marketId, word]];
    }),
  );
}

/** The API answers about no more conditions at a time. */
const conditionsMax = 20;

interface MarketCondition {
  readonly marketId: string;
  /** In lower case. */
  readonly condition: string;
}

/** A market without a condition has no question for the oracle. */
function conditionsOf(rawEvent: unknown): readonly MarketCondition[] {
  return gammaMarketsOf(rawEvent).flatMap(({ id, conditionId }) =>
    conditionId ? [{ marketId: id, condition: conditionId.toLowerCase() }] : [],
  );
}

/** A status or a reporter that is not known here is no error: it makes nothing final, or names nobody. */
export const resolutionRowSchema = z.object({
  condition_id: z.string(),
  status: z.string().trim().min(1),
  /** 18 decimals. */
  price: z.string().nullish().catch(null),
  was_disputed: z.boolean().nullish(),
  new_version_q: z.boolean().nullish(),
  reporter: z.string().nullish().catch(null),
  transaction_hash: z.string().nullish().catch(null),
  resolved_at: z.string().nullish().catch(null),
});

type Row = z.infer<typeof resolutionRowSchema>;

async function readRows(client: VenueClient, conditions: readonly string[]): Promise<readonly Row[]> {
  const answer = await client.get('/v2/resolutions', { condition: conditions.join(',') });
  const read = z.object({ data: z.array(resolutionRowSchema) }).safeParse(answer.found ? answer.body : null);
  if (!read.success) throw new MarketUnreadable('Polymarket answered with resolutions that cannot be read.');
  return read.data.data;
}

/** A row that is resolved at a price that is not set, or that no share can pay, is not final. */
function wordOf(row: Row): FinalWord {
  const value = row.status === 'resolved' ? paidByYes(row.price ?? null) : null;
  return {
    resolution: value === null ? openResolution(row.status) : resolutionAt(value),
    status: row.status,
    finalAt: value === null ? null : isoTime(row.resolved_at ?? null),
    decidedBy: value === null ? null : (reporters[row.reporter ?? ''] ?? null),
    wasDisputed: row.was_disputed === true || contested.has(row.status),
    settlementValue: value,
    rulesUpdated: row.new_version_q === true,
    transactionHash: row.transaction_hash ?? null,
  };
}

const contested: ReadonlySet<string> = new Set(['challenged', 'disputed', 'arbitration']);

function openResolution(status: string): Resolution {
  return contested.has(status) ? 'disputed' : 'unresolved';
}

function resolutionAt(value: number): Resolution {
  if (value === 1) return 'yes';
  if (value === 0) return 'no';
  return value === 0.5 ? 'fifty_fifty' : 'void';
}

/** Dollars (0..1); null for `69`, which stands for no price, and for a price outside that range. */
function paidByYes(price: string | null): number | null {
  if (price === null || !/^\d{1,19}$/.test(price) || price === unsetPrice) return null;
  const value = Number(price) / onePrice;
  return value <= 1 ? value : null;
}

const unsetPrice = '69';
const onePrice = 1e18;

const reporters: Readonly<Record<string, Decider>> = {
  UMA_OO: 'uma',
  CHAINLINK: 'chainlink',
  EOA: 'operator',
};
