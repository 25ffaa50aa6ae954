/** The system's code of an error (`ENOENT`, `ESRCH`…). Asked by shape, because a test runner's errors are of another realm. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
