import type { Response } from 'express';
import { streamSeconds } from '../../purchase/limits.js';
import type { ApiContext } from '../context.js';
import type { HeldAnswers } from './held-answers.js';

/**
 * Takes a place for an open stream until it is closed.
 * @throws Problem as `HeldAnswers.hold`
 */
export async function holdStream(
  { now }: Pick<ApiContext, 'now'>,
  heldAnswers: HeldAnswers,
  { accountId, response }: { readonly accountId: string; readonly response: Response },
): Promise<void> {
  const until = new Date(now().getTime() + streamSeconds * 1_000);
  const free = await heldAnswers.hold({ accountId, until });
  // The caller may have left while the place was taken.
  if (response.destroyed) await free();
  else response.once('close', () => void free());
}
