/**
 * Waits for a promise for a limited time. The work itself is not cancelled; its late result is ignored.
 * @throws the error from `timeoutError` when the time is up
 */
export async function withTimeout<Value>(
  ms: number,
  work: Promise<Value>,
  timeoutError: () => Error = () => new Error(`not done within ${ms} ms`),
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(timeoutError()), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
