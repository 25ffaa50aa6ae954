import { addEventHandler } from 'jest-circus';
import { withTimeout } from '../../../platform/net/with-timeout.js';

// Programs that tests start are not tests: they load compiled modules only.
delete process.env.NODE_OPTIONS;

/** Longer than any wait for a condition (`test/support/until.ts`), which then fails by name. */
const timeoutMs = 180_000;

/** The runner has no time-outs. Without one, a test that hangs would hang the whole run. */
addEventHandler(({ name, timeout = timeoutMs }, { currentDescribeBlock }) => {
  const added = { add_test: currentDescribeBlock.children, add_hook: currentDescribeBlock.hooks }[name]?.at(
    -1,
  );
  const run = added?.fn;
  if (run !== undefined) added.fn = () => withTimeout(timeout, Promise.resolve().then(run));
});
