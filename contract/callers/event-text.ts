/** Why an event without markets gets no report. Those that are only provisional are not shown. */
export const noMarketsText =
  'This event has no market yet that is certain to stay. The venue may remove a provisional one if nobody trades it.';
