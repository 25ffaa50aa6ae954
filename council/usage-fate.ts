import { usageAcceptedDays, usageResendHours } from './limits.js';

/**
 * What to do with usage that is still to be sent. `hold`: sending it might bill it twice, or would be refused for its
 * age; a person has to find out.
 */
export function usageFate(
  usage: { readonly occurredAt: Date; readonly firstTriedAt: Date | null },
  now: Date,
): 'send' | 'hold' {
  const triedMs = usage.firstTriedAt === null ? 0 : now.getTime() - usage.firstTriedAt.getTime();
  const ageMs = now.getTime() - usage.occurredAt.getTime();
  return triedMs > usageResendHours * hourMs || ageMs > usageAcceptedDays * 24 * hourMs ? 'hold' : 'send';
}

const hourMs = 3_600_000;
