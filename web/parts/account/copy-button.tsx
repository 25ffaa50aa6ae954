import { type RefObject, useState } from 'react';

interface CopyButtonProps {
  readonly text: string;
  /** Where the text stands, to be selected where a page may not copy. */
  readonly shownIn: RefObject<HTMLElement | null>;
  /** What is copied, for whoever hears the button and does not see what it stands beside. */
  readonly what: string;
}

/** Copies, or selects for copying: without TLS a browser gives no page its clipboard. */
export function CopyButton({ text, shownIn, what }: CopyButtonProps) {
  const [end, setEnd] = useState<'copied' | 'selected' | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setEnd('copied');
    } catch {
      if (shownIn.current !== null) window.getSelection()?.selectAllChildren(shownIn.current);
      setEnd('selected');
    }
  };
  return (
    <span className="copy">
      <button className="button quiet small" type="button" onClick={() => void copy()}>
        Copy<span className="unseen"> {what}</span>
      </button>
      <span role="status" className="small">
        {end === 'copied' ? 'Copied' : end === 'selected' ? 'Selected: now press Ctrl+C, or ⌘C' : null}
      </span>
    </span>
  );
}
