import type { MarketEvent } from '../../council/event.js';
import type { PurchaseAnswer, PurchaseRequest } from '../../council/purchase/purchase.js';

/** Where fresh reports are ordered: the API's whole view of what runs them. */
export interface ReportPurchaser {
  /**
   * Buys the report, beginning a run if no run of this account on this event and day is under way.
   * Whatever happens, the answer is true: a receipt, or a refusal after which nothing is ever charged.
   */
  order(wish: Omit<PurchaseRequest, 'purchaseId' | 'answerBy'>, event: MarketEvent): Promise<PurchaseAnswer>;
}
