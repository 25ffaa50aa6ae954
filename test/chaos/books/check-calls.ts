import { hashKey } from '../../../providers/simulator/write-answer.js';
import type { Customer } from '../load/customers.js';
import { editionIn } from '../stage/gamma-stand-in.js';
import { type Asked, houseKeys } from '../stage/outside.js';
import type { Timeline } from '../storm/timeline.js';
import type { Books } from './books.js';
import type { StoredAnswer } from './stored-answers.js';

/** Between looking whether an answer is stored and asking there are a few queries; more of a busy machine's time. */
const lookToAskMs = 1_500;

export interface CallCheck {
  readonly faults: readonly string[];
  /** Asked while the answer of an attempt that was taken for dead came in: two who could not see each other. */
  readonly overlaps: number;
}

/**
 * The vendors' own log of what they were asked: nobody is asked for an answer that is stored; every question is about a market
 * that a report froze; and a run is asked with the key of whoever pays it.
 */
export function checkCalls(world: {
  asked: readonly Asked[];
  stored: readonly StoredAnswer[];
  books: Books;
  customers: readonly Customer[];
  timeline: Timeline;
}): CallCheck {
  const { asked, stored, books, timeline } = world;
  const reportOf = new Map(books.reports.map(report => [editionIn(report.rules ?? ''), report]));
  const storedAt = new Map(
    stored.map(({ reportId, stage, model, at }) => [`${reportId} ${stage} ${model}`, at]),
  );
  const ownHashes = new Map(world.customers.map(each => [each.accountId, each.ownKeys.map(hashKey)]));
  const houseHashes = Object.values(houseKeys).map(hashKey);
  const faults: string[] = [];
  let overlaps = 0;
  for (const { edition, model, stage, at, keyHash } of asked) {
    const report = edition === null ? undefined : reportOf.get(edition);
    if (report === undefined) {
      faults.push(`${model} was asked at ${stage} about reading ${edition}, which no report froze`);
      continue;
    }
    const keys = report.lane === 'byok' ? (ownHashes.get(report.accountId) ?? []) : houseHashes;
    if (!keys.includes(keyHash))
      faults.push(`report ${report.id} (${report.lane}) was run with another's key`);
    const answeredAt = storedAt.get(`${report.id} ${stage} ${model}`) ?? Number.POSITIVE_INFINITY;
    if (at <= answeredAt) continue;
    const isRace = at - answeredAt <= lookToAskMs || timeline.wasSlow(answeredAt - lookToAskMs, at);
    if (isRace) overlaps++;
    else {
      const late = ((at - answeredAt) / 1_000).toFixed(1);
      faults.push(
        `${model} was asked at ${stage} of report ${report.id} ${late} s after its answer was stored`,
      );
    }
  }
  return { faults, overlaps };
}
