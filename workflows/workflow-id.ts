/**
 * The natural key of a run: one account, one event, one UTC day. A double click, a client's retry and a second
 * API process all meet in the one workflow of that name.
 */
export function reportWorkflowId(wish: { accountId: string; eventId: string; utcDay: string }): string {
  return `report/${wish.accountId}/${wish.eventId}/${wish.utcDay}`;
}
