import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { GradingResult } from '../../../record/grades/grading.js';
import type { RecordedForecast } from '../../../record/recorded-forecast.js';
import { twoSided } from '../../record/grade-fixtures.js';
import { ownNamespace } from '../service/own-namespace.js';
import { startTestService, type TestService } from '../service/test-service.js';
import { ControlledMarkets } from './controlled-markets.js';
import { plantReports } from './plant-record.js';
import { startBatch } from './regrade-batch.js';

/** A service that grades recorded reports against a market whose answers a test sets. */
export interface GradingWorld {
  readonly service: TestService;
  readonly markets: ControlledMarkets;
  /** Inserts this many recorded reports on a new event. */
  readonly planted: (count: number) => Promise<{ eventId: string; ids: number[] }>;
  /** The grades of the reports of this event. */
  readonly regraded: (eventId: string) => Promise<GradingResult>;
  readonly sql: (statement: string, values?: unknown[]) => Promise<any[]>;
  /** In the order in which they were given. */
  readonly gradesOf: (reportIds: readonly number[]) => Promise<{ report_id: number; state: string }[]>;
}

export function useGradingWorld(): GradingWorld {
  const markets = new ControlledMarkets();
  let started: TestService | undefined;
  let events = 0;
  const service = (): TestService => {
    if (started === undefined) throw new Error('the service is not started');
    return started;
  };
  const sql = async (statement: string, values: unknown[] = []): Promise<any[]> =>
    (await service().database.pool.query(statement, values)).rows;
  beforeAll(async () => {
    started = await startTestService({ markets, namespace: await ownNamespace() });
  });
  afterAll(() => service().stop());
  beforeEach(() => markets.open());
  return {
    get service() {
      return service();
    },
    markets,
    planted: async count => {
      const eventId = `event-${++events}`;
      const reports = await plantReports(
        service().database,
        Array.from({ length: count }, () => onRain(eventId)),
      );
      return { eventId, ids: reports.map(report => report.report_id) };
    },
    regraded: async eventId => (await startBatch(service(), { kind: 'event', eventId })).result(),
    sql,
    gradesOf: ids => sql('select report_id, state from grades where report_id = any($1) order by id', [ids]),
  };
}

/** A forecast of an event with the one market `m-Rain`. */
export function onRain(eventId: string, more: Partial<RecordedForecast> = {}): RecordedForecast {
  return twoSided(70, 55, { claude: 75, gpt: 65 }, { event_id: eventId, ...more });
}
