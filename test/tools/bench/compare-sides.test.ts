import { describe, expect, test } from '@jest/globals';
import { compareSides, type Round, type SideFigures } from '../../../tools/bench/results/compare-sides.js';
import { formatGoal, formatMarkdown, isMet } from '../../../tools/bench/results/measurement.js';

const round = (overheadMs: number, perSecond: number, cpu: Readonly<Record<string, number>>): Round => ({
  alone: [{ reportId: 1, models: 20, wall: 20 + overheadMs, asCalled: 60 + overheadMs, learnedAfter: 10 }],
  loads: [1, 50].map(in_flight => ({
    in_flight,
    reports: 40,
    reports_per_second: perSecond * in_flight,
    cpu_ms_per_report: cpu,
    wal_kib_per_report: 10 * Object.keys(cpu).length,
    transactions_per_report: 40,
    connections: 46,
  })),
});

const embedded: SideFigures = {
  rounds: [
    round(100, 10, { temporal: 40, worker: 60 }),
    round(200, 5, { temporal: 40, worker: 60 }),
    round(60, 10, { temporal: 40, worker: 60 }),
  ],
  events: 70,
  databases: ['council'],
};
const services = {
  'temporal-server frontend': 20,
  'temporal-server history 1': 50,
  postgres: 30,
  worker: 60,
};
const cluster: SideFigures = {
  rounds: [round(140, 6, services), round(300, 4, services), round(140, 5, services)],
  events: 80,
  databases: ['council', 'temporal', 'temporal_visibility'],
};

const tableOf = (...sides: Parameters<typeof compareSides>) => formatMarkdown(compareSides(...sides).table);

describe('the comparison of a cluster with the embedded servers', () => {
  test('takes ratios within a round, and then their median', () => {
    expect(compareSides(embedded, cluster).figures).toMatchObject({
      ratios_cluster_to_embedded: {
        // 180/140, 340/240, 180/100
        as_called_overhead: 1.42,
        // 0.6, 0.8, 0.5
        reports_per_second: [
          { in_flight: 1, ratio: 0.6 },
          { in_flight: 50, ratio: 0.6 },
        ],
      },
    });
  });

  test('has a goal for the overhead, its ratio, and the reports a second of each load', () => {
    const { goals } = compareSides(embedded, cluster);
    expect(goals.map(({ value }) => value)).toEqual([1.42, 180, 0.6, 0.6]);
    expect(goals.every(isMet)).toBe(true);
  });

  test('shows the CPU of each process of both sides', () => {
    const table = tableOf(embedded, cluster);
    expect(table).toContain('| CPU ms a report, all processes | 100 | 160 | 1.6 |');
    expect(table).toContain('| CPU ms a report, temporal | 40 | – | – |');
    expect(table).toContain('| CPU ms a report, temporal-server history 1 | – | 50 | – |');
    expect(table).toContain('| CPU ms a report, worker | 60 | 60 | 1 |');
  });

  test("names Temporal's part of the write-ahead log only where its databases are on the same server", () => {
    expect(tableOf(embedded, cluster)).toContain("| of it Temporal's, by the difference | – | 20 | – |");
    expect(tableOf(embedded, { ...cluster, databases: ['council'] })).not.toContain('by the difference');
  });

  test('says that it is half a result without a cluster, and claims no goal', () => {
    const { incomplete, goals } = compareSides(embedded, null);
    expect(incomplete).toContain('only the embedded servers');
    expect(goals).toEqual([]);
    expect(tableOf(embedded, null)).toContain('| events of a history | 70 | – | – |');
  });
});

test('a goal without a figure is neither met nor missed', () => {
  expect(formatGoal({ what: 'CPU', value: Number.NaN, atMost: 2 })).toBe(
    'goal not measured: CPU (at most 2)',
  );
});
