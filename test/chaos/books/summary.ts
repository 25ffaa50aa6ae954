import type { ChaosOptions } from '../options.js';
import type { Stage } from '../stage/stage.js';
import type { Verdict } from './check-all.js';
import { type Diary, kindOf } from './diary.js';

/** How much of everything happened: a storm that does nothing proves nothing. */
export function summarise(
  stage: Stage,
  diary: Diary,
  { books, recordEntries, transfers, overlaps }: Verdict,
  { seed, minutes }: ChaosOptions,
): string {
  const { asked } = stage.outside;
  const { reports, purchases } = books;
  const completed = reports.filter(({ status }) => status === 'completed');
  return [
    `Seed ${seed}, ${minutes} minutes.`,
    section('What went wrong', stage.timeline.tally),
    section(
      'What callers were told',
      tally(diary.wishes, ({ told }) => {
        if (told.kind === 'silence') return `no answer: ${told.why}`;
        if (told.kind === 'refusal') return `${told.status} ${told.code}`;
        const kind = kindOf(told.status, told.receipt);
        return `${told.status} ${kind}${told.replayed ? ', replayed' : ''}`;
      }),
    ),
    section(
      'Reports',
      tally(reports, ({ status, failure, dropouts }) =>
        status === 'failed' ? `failed: ${failure}` : `${status}${dropouts > 0 ? ', degraded' : ''}`,
      ),
    ),
    section(
      'Purchases',
      tally(purchases, ({ state, kind, lane }) =>
        state === 'void' ? 'withdrawn' : `${state}, ${kind}, ${lane}`,
      ),
    ),
    section(
      'Calls to models',
      tally(asked, ({ fault }) => (fault === null ? 'answered' : `fault: ${fault}`)),
    ),
    `${asked.length} calls; ${overlaps} overlapped with an attempt that was taken for dead.`,
    `${diary.wishes.length} wishes, ${reports.length} reports (${completed.length} completed), ${transfers} transfers, ${recordEntries} in the record.`,
    longest(diary),
  ].join('\n\n');
}

function longest({ wishes }: Diary): string {
  const answered = wishes
    .filter(({ told }) => told.kind !== 'silence')
    .map(wish => wish.endedAt - wish.sentAt);
  const sorted = answered.sort((one, other) => one - other);
  const at = (share: number) => ((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) / 1_000).toFixed(1);
  return `Answers took ${at(0.5)} s (median), ${at(0.99)} s (99 %), ${at(1)} s (longest).`;
}

function tally<Item>(items: readonly Item[], nameOf: (item: Item) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

function section(title: string, counts: readonly (readonly [string, number])[]): string {
  return [title, ...counts.map(([name, times]) => `${String(times).padStart(7)}  ${name}`)].join('\n');
}
