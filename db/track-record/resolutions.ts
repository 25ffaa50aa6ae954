import { type FinalWord, type FinalWords, isFinal } from '../../council/market/final-word.js';
import type { MarketOutcomes } from '../../record/recorded-forecast.js';
import type { Db, Tx } from '../database.js';

/** How an event ended, according to its venue. The invariants are those of `grades.ts`. */
export interface ObservedResolution {
  readonly id: number;
  readonly observedAt: Date;
  readonly outcomes: MarketOutcomes;
  /** Null if the outcomes were read from prices. */
  readonly words: FinalWords | null;
}

export interface NewResolution extends Pick<ObservedResolution, 'outcomes' | 'words'> {
  readonly eventId: string;
  readonly evidence: object;
  readonly now: Date;
}

/** @returns false if the newest resolution says the same, or more than a new one of an event graded by prices. */
export async function saveResolution(db: Db, resolution: NewResolution): Promise<boolean> {
  const { eventId, evidence, now } = resolution;
  return db.transaction().execute(async tx => {
    await tx
      .selectFrom('events')
      .select('event_id')
      .where('event_id', '=', eventId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    const newest = await newestResolution(tx, eventId);
    const read = keepWords(newest, resolution);
    const { outcomes } = read;
    const words = rememberDisputes(newest, read.words);
    const isNew = newest === null ? !nothingResolved(outcomes) : isNews(newest, { outcomes, words });
    if (!isNew) return false;
    await tx
      .insertInto('resolutions')
      .values({
        event_id: eventId,
        outcomes: JSON.stringify(outcomes),
        final_words: words === null ? null : JSON.stringify(words),
        evidence: JSON.stringify(evidence),
        observed_at: now,
      })
      .execute();
    return true;
  });
}

/** Null while no market of the event is resolved. */
export async function newestResolution(db: Db | Tx, eventId: string): Promise<ObservedResolution | null> {
  const row = await db
    .selectFrom('resolutions')
    .select(['id', 'observed_at as observedAt', 'outcomes', 'final_words as words'])
    .where('event_id', '=', eventId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

function nothingResolved(outcomes: MarketOutcomes): boolean {
  return Object.values(outcomes).every(resolution => resolution === 'unresolved');
}

type Read = Pick<ObservedResolution, 'outcomes' | 'words'>;

/**
 * An answer takes nothing back by leaving out a market: its result or dispute stands until the venue says otherwise. One
 * without any market says nothing.
 */
function keepWords(newest: ObservedResolution | null, { outcomes, words }: Read): Read {
  if (words === null || newest === null || newest.words === null) return { outcomes, words };
  if (Object.keys(outcomes).length === 0) return newest;
  const silent = Object.entries(newest.words).filter(
    ([market, { resolution }]) => words[market] === undefined && resolution !== 'unresolved',
  );
  const kept = silent.map(([market, { resolution }]) => [market, resolution] as const);
  return {
    outcomes: { ...outcomes, ...Object.fromEntries(kept) },
    words: { ...words, ...Object.fromEntries(silent) },
  };
}

/** Kalshi says only that a market is disputed now. What was read before is kept. */
function rememberDisputes(newest: ObservedResolution | null, words: FinalWords | null): FinalWords | null {
  if (newest === null || words === null) return words;
  const wasDisputed = (market: string) =>
    newest.outcomes[market] === 'disputed' || newest.words?.[market]?.wasDisputed === true;
  return Object.fromEntries(
    Object.entries(words).map(([market, word]) => [
      market,
      wasDisputed(market) ? { ...word, wasDisputed: true } : word,
    ]),
  );
}

/** Ignores the order of the markets. What was read from prices stands until the venue has spoken about all of it. */
function isNews(newest: ObservedResolution, read: Read): boolean {
  const markets = [...new Set([...Object.keys(newest.outcomes), ...Object.keys(read.outcomes)])];
  const differs = markets.some(market => newest.outcomes[market] !== read.outcomes[market]);
  if (read.words === null) return differs;
  if (newest.words === null) return markets.every(market => !isLost(newest, read, market));
  const [before, after] = [newest.words, read.words];
  return differs || markets.some(market => detailsOf(before[market]) !== detailsOf(after[market]));
}

function isLost(newest: ObservedResolution, read: Read, market: string): boolean {
  return isFinal(newest.outcomes[market]) && (read.outcomes[market] ?? 'unresolved') === 'unresolved';
}

/** What a grade shows of a final word beside its resolution. A word that is not final is no news. */
function detailsOf(word: FinalWord | undefined): string {
  if (word === undefined || !isFinal(word.resolution)) return '';
  return JSON.stringify([word.decidedBy, word.wasDisputed, word.settlementValue]);
}
