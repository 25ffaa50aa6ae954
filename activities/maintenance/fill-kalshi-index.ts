import type { Logger } from 'pino';
import type { Db } from '../../db/database.js';
import {
  closeUnlistedEvents,
  type KalshiFill,
  readKalshiFill,
  saveKalshiEvents,
  saveKalshiFill,
} from '../../db/market/kalshi-events.js';
import { countedRead } from '../../markets/count-unreadable.js';
import type { KalshiEventList } from '../../markets/kalshi/list-kalshi-events.js';
import type { Metrics } from '../../platform/telemetry/metrics.js';
import { kalshiPassMaxHours, kalshiWholePassHours } from '../../purchase/limits.js';

export interface FillDependencies {
  readonly db: Db;
  /** Null if the service does not sell reports on Kalshi's events: nothing is read. */
  readonly kalshiEvents: KalshiEventList | null;
  readonly metrics: Metrics;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

export interface FilledPage {
  /** What was read; `not_configured` if nothing. */
  readonly did: KalshiFill['pass'] | 'not_configured';
  readonly events: number;
  /** Events that were open and that a whole pass, which has ended with this page, did not name. */
  readonly closed: number;
  /** Whether the pass goes on. */
  readonly more: boolean;
}

/**
 * Reads one page of Kalshi's events into the search index, and remembers which is next: first all open events, then those
 * that changed since the last pass. The venue reports no trade and no end as a change, so all open events are read again
 * every few hours; those that are not named any more are then closed. A page may be read twice.
 * @throws MarketUnavailable
 */
export async function fillKalshiIndex(deps: FillDependencies): Promise<FilledPage> {
  const { db, kalshiEvents, metrics, now, log } = deps;
  if (kalshiEvents === null) return { did: 'not_configured', events: 0, closed: 0, more: false };
  const fill = passAt(now(), await readKalshiFill(db));
  const { pass, cursor, changedSince } = fill;
  const listedAt = now();
  const onUnreadable = () => metrics.marketUnreadable.inc({ venue: 'kalshi' });
  const page = await countedRead(
    kalshiEvents.read({ cursor, changedSince: pass === 'whole' ? null : changedSince }),
    onUnreadable,
  );
  if (page.unreadable > 0) {
    onUnreadable();
    log.warn({ unreadable: page.unreadable }, 'events of Kalshi could not be read, and cannot be found');
  }
  await saveKalshiEvents(db, page.events, listedAt);
  const isStuck = page.cursor !== null && page.cursor === cursor;
  if (isStuck) log.warn('the list of events of Kalshi repeats its cursor; the pass begins again');
  const isEnd = page.cursor === null;
  const closed = isEnd && pass === 'whole' ? await closeUnlistedEvents(db, fill.passStartedAt) : 0;
  await saveKalshiFill(db, isEnd ? ended(fill) : { ...fill, cursor: isStuck ? null : page.cursor });
  return { did: pass, events: page.events.length, closed, more: !isEnd && !isStuck };
}

/** The pass in progress, or the next one. */
function passAt(now: Date, fill: KalshiFill | null): KalshiFill {
  const isOlder = (than: Date, hours: number) => now.getTime() - than.getTime() >= hours * 3_600_000;
  if (fill !== null && fill.cursor !== null && !isOlder(fill.passStartedAt, kalshiPassMaxHours)) return fill;
  const { changedSince = null, wholePassAt = null } = fill ?? {};
  const isWholeDue =
    changedSince === null || wholePassAt === null || isOlder(wholePassAt, kalshiWholePassHours);
  return {
    pass: isWholeDue ? 'whole' : 'changes',
    passStartedAt: now,
    cursor: null,
    changedSince,
    wholePassAt,
  };
}

function ended(fill: KalshiFill): KalshiFill {
  return {
    ...fill,
    cursor: null,
    changedSince: new Date(fill.passStartedAt.getTime() - overlapMs),
    wholePassAt: fill.pass === 'whole' ? fill.passStartedAt : fill.wholePassAt,
  };
}

/** The clock of the venue may be behind, and a change may become visible late. */
const overlapMs = 60_000;
