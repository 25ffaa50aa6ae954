import { type PaymentGateway, PaymentsUnavailable, type UsageCancellation } from './payment-gateway.js';

export type CancellationTry =
  | { readonly confirmed: true }
  | {
      readonly confirmed: false;
      /** The provider has recorded the failure, and repeats it within this series. */
      readonly answered: boolean;
      readonly retryable: boolean;
      readonly reason: string;
    };

/** One try to cancel usage, with its failure as a value, because the caller has to store it. */
export async function tryCancellation(
  payments: Pick<PaymentGateway, 'cancelUsage'>,
  usage: UsageCancellation,
): Promise<CancellationTry> {
  try {
    await payments.cancelUsage(usage);
    return { confirmed: true };
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error;
    const { status, retryable, message: reason } = error;
    return { confirmed: false, answered: isRecorded(status), retryable, reason };
  }
}

/** Conflicts and throttled requests were not executed, so the same request may be repeated. */
function isRecorded(status: number | null): boolean {
  return status !== null && status !== 409 && status !== 429;
}
