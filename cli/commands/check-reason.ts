import { exitCodes, Failure } from '../terminal/failure.js';

/** The length that the database accepts. */
const reasonMaxChars = 1_000;

/** @throws Failure if the reason that an operator gives is empty or too long */
export function checkReason(reason: string): void {
  if (reason.trim() !== '' && reason.length <= reasonMaxChars) return;
  throw new Failure(`The reason must have 1 to ${reasonMaxChars} characters.`, {
    next: 'Set it with --reason.',
    exitCode: exitCodes.usage,
  });
}
