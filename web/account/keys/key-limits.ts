import type { KeyView, SentNewKey } from '../../../contract/keys.js';
import { creditsText, minute } from '../../shared/format.js';
import { textIn } from '../../shared/read-input.js';

/** The key that a submitted form describes. Its last day is a whole one, in UTC like everything that is counted by days. */
export function newKeyIn(form: FormData): SentNewKey {
  const lastDay = textIn(form, 'expires_on');
  const most = textIn(form, 'max_credits_per_day');
  return {
    name: textIn(form, 'name'),
    scope: textIn(form, 'scope') === 'read' ? 'read' : 'spend',
    ...(lastDay === '' ? {} : { expires_at: new Date(Date.parse(lastDay) + dayMs).toISOString() }),
    ...(most === '' ? {} : { max_credits_per_day: Number(most) }),
  };
}

const dayMs = 86_400_000;

/** What the key may do, as one line. */
export function limitsText(key: KeyView): string {
  const { scope, expires_at: end, max_credits_per_day: most } = key;
  return [
    scope === 'read' ? 'only reads' : 'reads and buys',
    ...(scope === 'read' || most === null ? [] : [`at most ${creditsText(most)} a day`]),
    ...(end === null ? [] : [`${isExpired(key) ? 'expired' : 'works until'} ${minute(end)}`]),
  ].join(', ');
}

export function isExpired({ expires_at: end }: KeyView): boolean {
  return end !== null && Date.parse(end) <= Date.now();
}
