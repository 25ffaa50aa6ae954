/** What a purchase needs to know beside the wish itself. */
export interface PurchaseSetting {
  readonly now: Date;
  readonly simulated: boolean;
  readonly eventTitle: string;
  readonly workflowId: string;
  /** Random, stored with the report: whatever is shuffled in the run is shuffled by it. */
  readonly seed: string;
  /** The number reserved for the report (`reserveReportId`). Absent: the next one. */
  readonly reportId?: number;
}
