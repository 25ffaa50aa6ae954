import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** By what operators find a run; `temporal.yaml` declares the same names, and a test holds the two together. */
export const searchAttributes = {
  AccountId: defineSearchAttributeKey('AccountId', SearchAttributeType.KEYWORD),
  EventId: defineSearchAttributeKey('EventId', SearchAttributeType.KEYWORD),
  ReportId: defineSearchAttributeKey('ReportId', SearchAttributeType.INT),
  ReportStatus: defineSearchAttributeKey('ReportStatus', SearchAttributeType.KEYWORD),
  Lane: defineSearchAttributeKey('Lane', SearchAttributeType.KEYWORD),
  Degraded: defineSearchAttributeKey('Degraded', SearchAttributeType.BOOL),
} as const;
