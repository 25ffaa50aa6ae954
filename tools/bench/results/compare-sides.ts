import type { Times } from '../load/timed-report.js';
import { type Goal, type Measured, median, percentile, rounded } from './measurement.js';

/** Everything measured on one side. */
export interface SideFigures {
  readonly rounds: readonly Round[];
  /** Of a run's history. */
  readonly events: number;
  /** Those that share the server's write-ahead log. */
  readonly databases: readonly string[];
}

export interface Round {
  /** Of reports with nothing else in flight. */
  readonly alone: readonly Times[];
  /** From the fewest reports in flight to the most. */
  readonly loads: readonly LoadFigures[];
}

export interface LoadFigures {
  readonly in_flight: number;
  readonly reports: number;
  readonly reports_per_second: number;
  /** By process. */
  readonly cpu_ms_per_report: Readonly<Record<string, number>>;
  readonly wal_kib_per_report: number;
  /** Those that wrote. */
  readonly transactions_per_report: number;
  readonly connections: number;
}

/** The result of the embedded servers beside a cluster; `null` where only the embedded ones were measured. */
export function compareSides(embedded: SideFigures, cluster: SideFigures | null): Measured {
  const sides = { embedded: summaryOf(embedded), cluster: cluster === null ? null : summaryOf(cluster) };
  const ratios = cluster === null ? null : ratiosOf(embedded, cluster);
  return {
    figures: { ...sides, ratios_cluster_to_embedded: ratios },
    table: {
      head: ['', 'embedded', 'cluster', 'cluster ÷ embedded'],
      rows: rowsOf(sides.embedded, sides.cluster, ratios),
    },
    goals: sides.cluster === null || ratios === null ? [] : goalsOf(sides.cluster, ratios),
    ...(cluster === null
      ? {
          incomplete:
            'only the embedded servers were measured; a cluster needs DATABASE_URL and TEMPORAL_ADDRESS',
        }
      : {}),
  };
}

type Summary = ReturnType<typeof summaryOf>;

/** Medians of the rounds; the overhead over all reports of all rounds. */
function summaryOf({ rounds, events, databases }: SideFigures) {
  const alone = rounds.flatMap(round => round.alone);
  const spread = (values: readonly number[]) => ({
    p50: rounded(median(values), 0),
    p95: rounded(percentile(values, 0.95), 0),
  });
  return {
    overhead_ms: spread(alone.map(({ wall, models }) => wall - models)),
    as_called_overhead_ms: spread(alone.map(calledOverheadMs)),
    by_in_flight: loadsOf(rounds).map(same => ({
      in_flight: same[0]?.in_flight ?? 0,
      reports_per_second: median(same.map(({ reports_per_second }) => reports_per_second)),
      reports_per_second_of_all_rounds: same.map(({ reports_per_second }) => reports_per_second),
      cpu_ms_per_report: medianByName(same.map(({ cpu_ms_per_report }) => cpu_ms_per_report)),
      wal_kib_per_report: median(same.map(({ wal_kib_per_report }) => wal_kib_per_report)),
      transactions_per_report: median(same.map(({ transactions_per_report }) => transactions_per_report)),
      connections: Math.max(...same.map(({ connections }) => connections)),
    })),
    history_events: events,
    databases_of_the_server: databases,
  };
}

function calledOverheadMs({ asCalled, models }: Times): number {
  return asCalled - models;
}

/** The figures of each load in all rounds. */
function loadsOf(rounds: readonly Round[]) {
  return (rounds[0]?.loads ?? []).map((_, index) =>
    rounds.flatMap(({ loads }) => loads.slice(index, index + 1)),
  );
}

function medianByName(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  return Object.fromEntries(
    Object.keys(all[0] ?? {}).map(name => [name, median(all.map(each => each[name] ?? Number.NaN))]),
  );
}

type Ratios = ReturnType<typeof ratiosOf>;

/** Medians of the ratios of each round. */
function ratiosOf(embedded: SideFigures, cluster: SideFigures) {
  const ofRounds = (figure: (round: Round) => number) =>
    rounded(
      median(
        cluster.rounds.map((round, index) => {
          const beside = embedded.rounds[index];
          return figure(round) / (beside === undefined ? Number.NaN : figure(beside));
        }),
      ),
    );
  return {
    as_called_overhead: ofRounds(({ alone }) => median(alone.map(calledOverheadMs))),
    overhead: ofRounds(({ alone }) => median(alone.map(({ wall, models }) => wall - models))),
    reports_per_second: (cluster.rounds[0]?.loads ?? []).map(({ in_flight }, index) => ({
      in_flight,
      ratio: ofRounds(({ loads }) => loads[index]?.reports_per_second ?? Number.NaN),
    })),
  };
}

function goalsOf(cluster: Summary, ratios: Ratios): readonly Goal[] {
  return [
    {
      what: 'median overhead of the caller, cluster ÷ embedded',
      value: ratios.as_called_overhead,
      atMost: 1.5,
    },
    {
      what: 'median overhead of the caller on the cluster, ms',
      value: cluster.as_called_overhead_ms.p50,
      atMost: 250,
    },
    ...ratios.reports_per_second.map(({ in_flight, ratio }) => ({
      what: `reports a second with ${in_flight} in flight, cluster ÷ embedded`,
      value: ratio,
      atLeast: 0.6,
    })),
  ];
}

type Row = readonly (string | number)[];

function rowsOf(embedded: Summary, cluster: Summary | null, ratios: Ratios | null): readonly Row[] {
  const row = (what: string, figure: (side: Summary) => string | number, ratio?: number): Row => {
    const [one, other] = [figure(embedded), cluster === null ? Number.NaN : figure(cluster)];
    const ofMedians =
      typeof one === 'number' && typeof other === 'number' ? rounded(other / one) : Number.NaN;
    return [what, one, other, ratio ?? ofMedians];
  };
  const both = ({ p50, p95 }: Summary['overhead_ms']) => `${p50} / ${p95}`;
  return [
    row('overhead of a report, ms', side => both(side.overhead_ms), ratios?.overhead),
    row('overhead of its caller, ms', side => both(side.as_called_overhead_ms), ratios?.as_called_overhead),
    ...embedded.by_in_flight.map(({ in_flight }, index) =>
      row(
        `reports a second, ${in_flight} in flight`,
        side => side.by_in_flight[index]?.reports_per_second ?? Number.NaN,
        ratios?.reports_per_second[index]?.ratio,
      ),
    ),
    ...cpuRows(embedded, cluster, row),
    row('events of a history', side => side.history_events),
    row('KiB of WAL a report', side => busiestOf(side).wal_kib_per_report),
    ...temporalWalRow(embedded, cluster),
    row('transactions that write, a report', side => busiestOf(side).transactions_per_report),
    row('connections to that PostgreSQL', side => busiestOf(side).connections),
  ];
}

/** The load with the most reports in flight. */
function busiestOf({ by_in_flight }: Summary): Summary['by_in_flight'][number] {
  const last = by_in_flight.at(-1);
  if (last === undefined) throw new Error('no load was measured');
  return last;
}

function cpuRows(
  embedded: Summary,
  cluster: Summary | null,
  row: (what: string, figure: (side: Summary) => number) => Row,
): readonly Row[] {
  const cpuOf = (side: Summary) => busiestOf(side).cpu_ms_per_report;
  const names = new Set([
    ...Object.keys(cluster === null ? {} : cpuOf(cluster)),
    ...Object.keys(cpuOf(embedded)),
  ]);
  const [own, servers] = [serviceProcesses.filter(name => names.delete(name)), [...names].toSorted()];
  return [
    row('CPU ms a report, all processes', side =>
      rounded(
        Object.values(cpuOf(side)).reduce((sum, ms) => sum + ms, 0),
        1,
      ),
    ),
    ...[...servers, ...own].map(name =>
      row(`CPU ms a report, ${name}`, side => cpuOf(side)[name] ?? Number.NaN),
    ),
  ];
}

const serviceProcesses = ['worker', 'api', 'outside', 'bench'];

/** The log is that of the server. On the embedded side it holds the service's database alone, so the difference is Temporal's. */
function temporalWalRow(embedded: Summary, cluster: Summary | null): readonly Row[] {
  if (cluster === null || !cluster.databases_of_the_server.some(name => name.startsWith('temporal')))
    return [];
  const difference = busiestOf(cluster).wal_kib_per_report - busiestOf(embedded).wal_kib_per_report;
  return [["of it Temporal's, by the difference", Number.NaN, rounded(difference, 1), Number.NaN]];
}
