/** Stands in for `@jest/globals`, which works in Jest's own runtime only. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } = globalThis;
