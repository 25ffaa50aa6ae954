import { styleText } from 'node:util';

/** What a colour means here. */
const styles = { good: 'green', warning: 'yellow', bad: 'red', strong: 'bold', faint: 'dim' } as const;

export type Paint = Readonly<Record<keyof typeof styles, (text: string) => string>>;

/**
 * Colours for what is written to that stream: none unless it is a terminal, whatever FORCE_COLOR and NO_COLOR say
 * otherwise. Widths are to be measured before painting.
 */
export function paintFor(stream: NodeJS.WritableStream): Paint {
  const brush = (style: keyof typeof styles) => (text: string) => styleText(styles[style], text, { stream });
  return {
    good: brush('good'),
    warning: brush('warning'),
    bad: brush('bad'),
    strong: brush('strong'),
    faint: brush('faint'),
  };
}
