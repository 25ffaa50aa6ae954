import { afterAll, beforeAll } from '@jest/globals';
import type { TestService } from './service/test-service.js';
import { until } from './until.js';

/**
 * In a block of tests that only buy: its runs wait for their first answers, which fail at the end of the block. A run
 * that completes takes CPU, and moves the price.
 */
export function holdRuns({ simulator, database }: Pick<TestService, 'simulator' | 'database'>): void {
  let release = (): void => undefined;
  beforeAll(() => {
    simulator.setFault({}, { kind: 'http', status: 403 });
    release = simulator.hold({});
  });
  afterAll(async () => {
    release();
    // Rows of `setPrice` are no runs.
    const running = `select from reports where status in ('pending', 'processing') and event_title <> 'price'`;
    await until(
      'all runs have ended',
      () => database.pool.query(running),
      ({ rowCount }) => rowCount === 0,
    );
  });
}
