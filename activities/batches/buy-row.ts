import { utcDay } from '../../council/calendar.js';
import type { Venue } from '../../council/event.js';
import { isEventClosed, isProvisional } from '../../council/market/event-closed.js';
import type { WaitingRow } from '../../db/batches/batch-rows.js';
import type { StoredBatch } from '../../db/batches/batches.js';
import { parseEventName } from '../../markets/event-name.js';
import type { EventSource } from '../../markets/event-source.js';
import { nothingToForecast, type PurchaseAnswer } from '../../purchase/purchase.js';
import type { Refusal } from '../../purchase/refusal.js';
import { type ExistingDependencies, purchaseExisting } from '../../sales/purchase-existing.js';
import type { FreshRequest, ReportPurchaser } from '../../sales/temporal-purchaser.js';

export interface BuyRowDependencies extends ExistingDependencies {
  readonly purchaser: ReportPurchaser;
  /** Where events are read that rows are bought on. */
  readonly rowVenues: ReadonlyMap<Venue, Pick<EventSource, 'get'>>;
  readonly newId: () => string;
}

/**
 * Buys the report of one row as any purchase: one that the account owns, one of the day that exists, or a fresh one whose
 * run is started. The row is marked in the transaction that sells it.
 * @throws MarketUnavailable; OutcomeUnknown
 */
export async function buyRow(
  deps: BuyRowDependencies,
  batch: StoredBatch,
  { position, eventId }: WaitingRow,
): Promise<PurchaseAnswer> {
  const { accountId, apiKeyId, lane, minMembers } = batch;
  const request: FreshRequest = {
    accountId,
    apiKeyId,
    eventId,
    utcDay: utcDay(deps.now()),
    lane,
    quotedCredits: null,
    quotedUsdCents: null,
    minMembers,
    idempotency: null,
    row: { batchId: batch.id, position },
  };
  const sellExisting = (allowed?: 'owned') =>
    purchaseExisting(deps, { ...request, purchaseId: deps.newId(), answerBy: null }, allowed);
  const owned = await sellExisting('owned');
  if (owned !== 'fresh_needed') return owned;
  const event = await readEvent(deps, eventId);
  // A slug names an event too, and its report would be stored under another id than that of the row.
  if (event === null || event.eventId !== eventId) return eventNotFound;
  if (isEventClosed(event)) return nothingToForecast(isProvisional(event));
  const existing = await sellExisting();
  return existing === 'fresh_needed' ? deps.purchaser.purchase(request, event) : existing;
}

async function readEvent({ rowVenues }: BuyRowDependencies, eventId: string) {
  const named = parseEventName(eventId, [...rowVenues.keys()]);
  return named === null ? null : ((await rowVenues.get(named.venue)?.get(named.name)) ?? null);
}

const eventNotFound: Refusal = {
  refused: 'event_not_found',
  detail: 'There is no event with this id.',
};
