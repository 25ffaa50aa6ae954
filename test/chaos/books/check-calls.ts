import { hashKey } from '../../../simulator/digests.js';
import { houseKeys, type ModelRequest } from '../deployment/outside.js';
import type { Hindrance, Timeline } from '../faults/timeline.js';
import type { Customer } from '../load/customers.js';
import type { Books } from './books.js';
import type { StoredAnswer } from './commit-times.js';

/** Time between checking for a stored answer and calling the model: a few queries, slow on a busy machine. */
const checkToCallMs = 1_500;
/** What can make that time longer. */
const slowsCalls: ReadonlySet<Hindrance> = new Set([
  'worker stopped',
  'models away',
  'machine stalled',
  'database away',
]);

export interface CallCheck {
  readonly faults: readonly string[];
  /**
   * Calls made while the answer of an attempt that was presumed dead arrived: neither could see the other.
   */
  readonly overlaps: number;
}

/**
 * Checks the vendors' logs: no call for an answer that is stored; every call belongs to a market snapshot of
 * a report; every run uses the keys of the account that pays for it.
 */
export function checkCalls(world: {
  requests: readonly ModelRequest[];
  stored: readonly StoredAnswer[];
  books: Books;
  customers: readonly Customer[];
  timeline: Timeline;
}): CallCheck {
  const { requests, stored, books, timeline } = world;
  const storedAt = new Map(
    stored.map(({ reportId, stage, model, at }) => [`${reportId} ${stage} ${model}`, at]),
  );
  const ownHashes = new Map(world.customers.map(each => [each.accountId, each.ownKeys.map(hashKey)]));
  const houseHashes = Object.values(houseKeys).map(hashKey);
  const faults: string[] = [];
  let overlaps = 0;
  for (const { edition, model, stage, at, keyHash } of requests) {
    const sharing = edition === null ? [] : (books.reportsOf.get(edition) ?? []);
    const [report] = sharing;
    if (report === undefined) {
      faults.push(`${model} was called at ${stage} about reading ${edition}, which no report has`);
      continue;
    }
    const keys = sharing.flatMap(({ lane, accountId }) =>
      lane === 'byok' ? (ownHashes.get(accountId) ?? []) : houseHashes,
    );
    if (!keys.includes(keyHash))
      faults.push(`report ${report.id} (${report.lane}) was run with another's key`);
    const answeredAt = Math.max(
      ...sharing.map(({ id }) => storedAt.get(`${id} ${stage} ${model}`) ?? Number.POSITIVE_INFINITY),
    );
    if (at <= answeredAt) continue;
    const isSlow = timeline.hindrancesIn(answeredAt - checkToCallMs, at).some(each => slowsCalls.has(each));
    const isRace = at - answeredAt <= checkToCallMs || isSlow;
    if (isRace) overlaps++;
    else {
      const late = ((at - answeredAt) / 1_000).toFixed(1);
      faults.push(
        `${model} was called at ${stage} of report ${report.id} ${late} s after its answer was stored`,
      );
    }
  }
  return { faults, overlaps };
}
