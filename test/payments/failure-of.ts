import { PaymentsUnavailable } from '../../payments/payment-gateway.js';

/** Resolves with the call's PaymentsUnavailable. @throws Error for any other result. */
export async function failureOf(call: Promise<unknown>): Promise<PaymentsUnavailable> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof PaymentsUnavailable) return error;
  throw new Error(`expected PaymentsUnavailable, got ${String(error)}`);
}
