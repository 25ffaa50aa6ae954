import { type RefObject, useRef, useState } from 'react';

interface CopyableProps {
  readonly text: string;
  /** Completes the label of the button for screen readers. */
  readonly what: string;
}

/** A text that is shown to be stored elsewhere, with a button that copies it. */
export function Copyable({ text, what }: CopyableProps) {
  const shownIn = useRef<HTMLElement>(null);
  return (
    <div className="copyable">
      <code ref={shownIn}>{text}</code>
      <CopyButton text={text} shownIn={shownIn} what={what} />
    </div>
  );
}

interface CopyButtonProps extends CopyableProps {
  /** Contains the text. It is selected where the page is not allowed to copy. */
  readonly shownIn: RefObject<HTMLElement | null>;
}

/** Copies the text, or selects it: browsers allow access to the clipboard only over TLS. */
function CopyButton({ text, shownIn, what }: CopyButtonProps) {
  const [result, setResult] = useState<'copied' | 'selected' | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setResult('copied');
    } catch {
      if (shownIn.current !== null) window.getSelection()?.selectAllChildren(shownIn.current);
      setResult('selected');
    }
  };
  return (
    <span className="copy">
      <button className="button quiet small" type="button" onClick={() => void copy()}>
        Copy<span className="unseen"> {what}</span>
      </button>
      <span role="status" className="small">
        {result === 'copied' ? 'Copied' : result === 'selected' ? 'Selected. Press Ctrl+C or ⌘C.' : null}
      </span>
    </span>
  );
}
