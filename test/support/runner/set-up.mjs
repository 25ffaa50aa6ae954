import { addEventHandler } from 'jest-circus';

// Programs that tests start are not tests: they load compiled modules only.
delete process.env.NODE_OPTIONS;

/** Longer than any wait for a condition (`test/support/until.ts`), which then fails by name. */
const timeoutMs = 180_000;

/** The runner has no time-outs. Without one, a test that hangs would hang the whole run. */
addEventHandler(({ name, timeout = timeoutMs }, { currentDescribeBlock }) => {
  const added = { add_test: currentDescribeBlock.children, add_hook: currentDescribeBlock.hooks }[name]?.at(
    -1,
  );
  if (added?.fn !== undefined) added.fn = within(timeout, added.fn);
});

function within(ms, run) {
  return async () => {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`It took longer than ${ms} ms.`)), ms);
    });
    try {
      await Promise.race([run(), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
