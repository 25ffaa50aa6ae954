import { PaymentsUnavailable } from '../../payments/payment-gateway.js';

/** How a call to the gateway failed. @throws Error when it did not. */
export async function failureOf(call: Promise<unknown>): Promise<PaymentsUnavailable> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof PaymentsUnavailable) return error;
  throw new Error(`expected PaymentsUnavailable, got ${String(error)}`);
}
