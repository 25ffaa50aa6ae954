import { useSearchParams } from 'react-router';
import { Notice } from '../../shared/notice.js';

/** Said to whoever comes back from paying. */
export function CheckoutNotice() {
  const [search] = useSearchParams();
  const end = search.get('checkout');
  if (end === 'success') {
    return (
      <Notice tone="good" title="Thank you.">
        The payment provider has taken your payment. What you bought appears here as soon as it tells us so,
        usually within a few seconds.
      </Notice>
    );
  }
  if (end === 'cancelled') {
    return (
      <Notice tone="plain" title="Nothing was bought.">
        You left the payment page, and nothing was charged.
      </Notice>
    );
  }
  return null;
}
