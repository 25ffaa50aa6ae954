/** Where a command tells its result: as text for people, or as one JSON document for programs. */
export interface Output {
  /** The result of the command, in either form. */
  result(document: unknown, text: string): void;
  /** What happens meanwhile: for people on a terminal or in a log, never mixed into the result. */
  progress(line: string): void;
}

export function createOutput(asJson: boolean): Output {
  return {
    result: (document, text) => console.log(asJson ? JSON.stringify(document, null, 2) : text),
    progress: line => console.error(line),
  };
}
