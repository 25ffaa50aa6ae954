import { randomBytes } from 'node:crypto';
import { afterAll, afterEach } from '@jest/globals';
import { withTimeout } from '../../platform/net/with-timeout.js';
import { type MailingService, startMailingService } from './mail/mailing-service.js';
import { startTestBilling, type TestBilling } from './service/test-billing.js';
import { startTestService, type TestService, type TestServiceOptions } from './service/test-service.js';

/** What starts while a test file is loaded is in no hook, whose time-out would end it. */
const startWithinMs = 180_000;

/** One service for all tests of a file, stopped after them. */
export async function useTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const service = await withTimeout(startWithinMs, startTestService(options));
  afterAll(() => service.stop());
  return service;
}

/** Two API processes on one database, with shared encryption keys, for all tests of a file. */
export async function useTwoServices(
  options: TestServiceOptions,
  ofSecond: TestServiceOptions = {},
): Promise<readonly [TestService, TestService]> {
  const shared = { keyRing: [{ kid: 'shared', key: randomBytes(32) }], ...options };
  const first = await withTimeout(startWithinMs, startTestService(shared));
  const { database } = first;
  const second = await withTimeout(startWithinMs, startTestService({ ...shared, ...ofSecond, database }));
  afterAll(async () => {
    await second.stop();
    await first.stop();
  });
  return [first, second];
}

/** One service with a mail server for all tests of a file. */
export async function useMailingService(options: TestServiceOptions = {}): Promise<MailingService> {
  const world = await withTimeout(startWithinMs, startMailingService(options));
  afterAll(() => world.stop());
  return world;
}

/** One service with a stand-in for Stripe for all tests of a file: no fault outlives its test. */
export async function useTestBilling(
  options: Parameters<typeof startTestBilling>[0] = {},
): Promise<TestBilling> {
  const billing = await withTimeout(startWithinMs, startTestBilling(options));
  afterEach(() => {
    billing.clearFaults();
    billing.service.clock.offsetMs = 0;
  });
  afterAll(() => billing.stop());
  return billing;
}
