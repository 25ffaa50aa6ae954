import { beforeEach } from '@jest/globals';
import type { RecordedForecast } from '../../../record/recorded-forecast.js';
import { twoSided } from '../../record/grade-fixtures.js';
import { ownNamespace } from '../service/own-namespace.js';
import { useTestService } from '../use-service.js';
import { ControlledMarkets } from './controlled-markets.js';
import { plantReports } from './plant-record.js';
import { startBatch } from './regrade-batch.js';

/** A service that grades recorded reports against a market whose answers a test sets. */
export async function useGradingWorld() {
  const markets = new ControlledMarkets();
  const service = await useTestService({ markets, namespace: await ownNamespace() });
  beforeEach(() => markets.open());
  let events = 0;
  const sql = async (statement: string, values: unknown[] = []): Promise<any[]> =>
    (await service.database.pool.query(statement, values)).rows;
  return {
    service,
    markets,
    sql,
    /** Inserts this many recorded reports on a new event. */
    planted: async (count: number) => {
      const eventId = `event-${++events}`;
      const forecasts = Array.from({ length: count }, () => onRain(eventId));
      const reports = await plantReports(service.database, forecasts);
      return { eventId, ids: reports.map(report => report.report_id) };
    },
    /** Grades the reports of this event. */
    regraded: async (eventId: string) => (await startBatch(service, { kind: 'event', eventId })).result(),
    /** In the order in which they were given. */
    gradesOf: (reportIds: readonly number[]): Promise<{ report_id: number; state: string }[]> =>
      sql('select report_id, state from grades where report_id = any($1) order by id', [reportIds]),
  };
}

/** A forecast of an event with the one market `m-Rain`. */
export function onRain(eventId: string, more: Partial<RecordedForecast> = {}): RecordedForecast {
  return twoSided(70, 55, { claude: 75, gpt: 65 }, { event_id: eventId, ...more });
}
