import { useState } from 'react';
import { useSearchParams } from 'react-router';

const lookEveryMs = 2_000;
const lookForMs = 60_000;

/**
 * What was paid arrives when the payment provider tells the service, which may be a moment after the visitor is back: for a
 * minute it is looked for again and again.
 * @returns what `refetchInterval` of a query takes
 */
export function useRefetchAfterCheckout(): () => number | false {
  const [search] = useSearchParams();
  const [lookUntil] = useState(() => Date.now() + lookForMs);
  const paid = search.get('checkout') === 'success';
  return () => (paid && Date.now() < lookUntil ? lookEveryMs : false);
}
