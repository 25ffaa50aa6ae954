import { useSearchParams } from 'react-router';
import { Notice } from '../../shared/notice.js';

/** The result of a checkout, shown after the return from the payment provider's page. */
export function CheckoutNotice() {
  const [search] = useSearchParams();
  const result = search.get('checkout');
  if (result === 'success') {
    return (
      <Notice tone="good" title="Thank you.">
        Your payment was received. What you bought appears here once the payment provider confirms it, usually
        within a few seconds.
      </Notice>
    );
  }
  if (result === 'cancelled') {
    return (
      <Notice tone="plain" title="Checkout cancelled.">
        You left the payment page. Nothing was charged.
      </Notice>
    );
  }
  return null;
}
