import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseEventName } from './event-name.js';

/** A market of one venue. */
export interface PairedMarket {
  readonly venue: 'polymarket' | 'kalshi';
  readonly eventId: string;
  readonly marketId: string;
}

/** The reviewed pairs, by market. */
export interface Pairs {
  /** The market of the other venue that asks the same question; null if none is known. */
  other(eventId: string, marketId: string): PairedMarket | null;
  readonly count: number;
}

/**
 * Reads and validates the list of pairs (`pairs.yaml`).
 * @throws Error naming the file, and the entry if the list is not valid, or a market stands in two pairs
 */
export function loadPairs(path: string): Pairs {
  const list = listShape.safeParse(readYaml(path));
  if (!list.success) throw new Error(`${path}: ${z.prettifyError(list.error)}`);
  const others = new Map<string, PairedMarket>();
  for (const { polymarket, kalshi } of list.data.pairs) {
    const left = { venue: 'polymarket', eventId: polymarket.event, marketId: polymarket.market } as const;
    const right = { venue: 'kalshi', eventId: kalshi.event, marketId: kalshi.market } as const;
    for (const [market, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const key = keyOf(market.eventId, market.marketId);
      if (others.has(key)) throw new Error(`${path}: ${market.marketId} stands in two pairs`);
      others.set(key, other);
    }
  }
  return {
    other: (eventId, marketId) => others.get(keyOf(eventId, marketId)) ?? null,
    count: list.data.pairs.length,
  };
}

function readYaml(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} cannot be read as YAML: ${String(error)}`, { cause: error });
  }
}

const marketOf = (venue: PairedMarket['venue'], example: string) =>
  z.strictObject({
    event: z
      .string()
      .refine(event => parseEventName(event, ['polymarket', 'kalshi'])?.name === event, {
        error: `must be the event’s id as it is stored, such as ${example}`,
      })
      .refine(event => parseEventName(event, ['polymarket', 'kalshi'])?.venue === venue, {
        error: `must be an event of ${venue}`,
      }),
    market: z.string().min(1),
  });

const listShape = z.strictObject({
  pairs: z.array(
    z.strictObject({
      polymarket: marketOf('polymarket', '23784'),
      kalshi: marketOf('kalshi', 'kalshi:KXFED-26DEC'),
      reviewed_on: z.iso.date(),
      reviewed_by: z.string().min(1),
      note: z.string().min(1),
    }),
  ),
});

/** A space is in no id. */
function keyOf(eventId: string, marketId: string): string {
  return `${eventId} ${marketId}`;
}
