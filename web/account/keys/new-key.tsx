import { type RefObject, useEffect, useRef, useState } from 'react';
import type { MintedKeyView } from '../../../contract/keys.js';
import { Notice } from '../../shared/notice.js';

interface NewKeyProps {
  readonly created: MintedKeyView;
  readonly onDone: () => void;
}

/** Shows a new key, this once. */
export function NewKey({ created: { name, key, warning }, onDone }: NewKeyProps) {
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => headingRef.current?.focus(), []);
  return (
    <section className="card new-key" aria-labelledby="new-key">
      <h2 id="new-key" ref={headingRef} tabIndex={-1}>
        Your new key “{name}”
      </h2>
      <Notice tone="warn">{warning}</Notice>
      <Copyable text={key} what="the key" />
      <h3>Use it from a shell</h3>
      <Copyable text={`export COUNCIL_API_KEY=${key}`} what="the export line" />
      <Copyable
        text={`curl -s ${window.location.origin}/api/credits/balance -H "X-API-Key: $COUNCIL_API_KEY"`}
        what="the curl line"
      />
      <button className="button" type="button" onClick={onDone}>
        I have stored it
      </button>
    </section>
  );
}

function Copyable({ text, what }: { text: string; what: string }) {
  const shownIn = useRef<HTMLElement>(null);
  return (
    <div className="copyable">
      <code ref={shownIn}>{text}</code>
      <CopyButton text={text} shownIn={shownIn} what={what} />
    </div>
  );
}

interface CopyButtonProps {
  readonly text: string;
  /** Contains the text. It is selected where the page is not allowed to copy. */
  readonly shownIn: RefObject<HTMLElement | null>;
  /** Completes the label of the button for screen readers. */
  readonly what: string;
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
