/** Why a whole run failed. A closed list; the text is what the report's `failure.detail` says. */
export const runFailures = {
  quorum_lost: 'Fewer than two models gave a valid opinion.',
  no_chairman: 'No model was able to write the synthesis.',
  event_closed: 'The event stopped trading before the council met.',
  market_unavailable: 'The market could not be read, so there were no prices to hold the council against.',
  cancelled: 'The run was cancelled by an operator.',
  abandoned: 'The run was ended from outside before it was done.',
  internal: 'The run failed on our side.',
} as const;

export type RunFailureCode = keyof typeof runFailures;
