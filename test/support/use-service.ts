import { afterAll, afterEach } from '@jest/globals';
import { withTimeout } from '../../platform/net/with-timeout.js';
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
