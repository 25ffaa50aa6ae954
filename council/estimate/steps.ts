/**
 * A computation of seconds that pauses after each part of it, so that a process can do other things in between. The
 * parts and the result do not depend on how long it pauses.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Computes without pausing. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
