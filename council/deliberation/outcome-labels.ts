/**
 * The labels by which members name the outcomes in their answers: O1, O2, … in the order of the outcomes. Names of
 * markets are long, untrusted and different for every event; a schema that lists forty of them is refused by vendors.
 */
export function outcomeLabels(outcomes: number): string[] {
  return Array.from({ length: outcomes }, (_, index) => `O${index + 1}`);
}
