import type { Deployment } from '../deployment/deployment.js';
import type { Drill, DrillResult } from '../drills/drill.js';
import type { ChaosOptions } from '../options.js';
import type { CheckResult } from './check-all.js';
import { type Journal, kindOf } from './journal.js';

/** How often everything happened: a run without faults proves nothing. */
export function summarise(deployment: Deployment, run: FinishedRun): string {
  const { journal, result, options, drilled } = run;
  const { books, recordEntries, transfers, overlaps } = result;
  const { seed, minutes } = options;
  const { requests } = deployment.outside;
  const { reports, purchases } = books;
  const completed = reports.filter(({ status }) => status === 'completed');
  return [
    `Seed ${seed}, ${minutes} minutes.`,
    section('Faults', deployment.timeline.tally),
    section(
      'Responses',
      tally(journal.attempts, ({ outcome }) => {
        if (outcome.kind === 'silence') return `no answer: ${outcome.why}`;
        if (outcome.kind === 'refusal') return `${outcome.status} ${outcome.code}`;
        const kind = kindOf(outcome.status, outcome.receipt);
        return `${outcome.status} ${kind}${outcome.replayed ? ', replayed' : ''}`;
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
      tally(requests, ({ fault }) => (fault === null ? 'answered' : `fault: ${fault}`)),
    ),
    section('Webhooks', result.webhookCounts),
    `${requests.length} calls; ${overlaps} overlapped with an attempt that was presumed dead.`,
    `${journal.attempts.length} requests, ${reports.length} reports (${completed.length} completed), ${transfers} transfers, ${recordEntries} in the record.`,
    longest(journal),
    ...drilled.map(([{ name }, { figures }]) => [`Drill ${name}`, ...figures.map(indented)].join('\n')),
    ['Figures', ...figures(deployment, result).map(indented)].join('\n'),
  ].join('\n\n');
}

interface FinishedRun {
  readonly journal: Journal;
  readonly result: CheckResult;
  readonly options: ChaosOptions;
  readonly drilled: readonly (readonly [Drill, DrillResult])[];
}

/** What must be zero or equal, and what must be stated. */
function figures({ disk }: Deployment, { books, drift, repeats, ends, failedByUs }: CheckResult): string[] {
  const open = books.reports.filter(({ status }) => status !== 'completed' && status !== 'failed');
  const repeated = [...repeats].map(([reason, times]) => `${times} (${reason})`).join(', ');
  return [
    `drift: ${drift}`,
    `reports that are not terminal: ${open.length} of ${books.reports.length}`,
    `repeated paid calls: ${repeated === '' ? '0' : repeated}`,
    `calls: ${ends.joined} joined by a second attempt, ${ends.aborted} aborted; ${ends.unused} answers not used, repairs included`,
    `sold, then failed by us (internal, abandoned): ${failedByUs.length}`,
    ...(typeof disk === 'string' ? [disk] : []),
  ];
}

function indented(line: string): string {
  return `    ${line}`;
}

function longest({ attempts }: Journal): string {
  const answered = attempts
    .filter(({ outcome }) => outcome.kind !== 'silence')
    .map(attempt => attempt.endedAt - attempt.sentAt);
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
