import { type RefObject, useEffect, useRef, useState } from 'react';
import type { MintedKeyView } from '../../../contract/keys.js';
import { Notice } from '../../shared/notice.js';

interface MintedKeyProps {
  readonly minted: MintedKeyView;
  readonly onDone: () => void;
}

/** The one time that a key is shown. */
export function MintedKey({ minted: { name, key, warning }, onDone }: MintedKeyProps) {
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => headingRef.current?.focus(), []);
  return (
    <section className="card minted" aria-labelledby="minted">
      <h2 id="minted" ref={headingRef} tabIndex={-1}>
        Your new key “{name}”
      </h2>
      <Notice tone="warn">{warning}</Notice>
      <Copyable text={key} what="the key" />
      <h3>To use it from a shell</h3>
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
  /** Where the text stands, to be selected where a page may not copy. */
  readonly shownIn: RefObject<HTMLElement | null>;
  /** What is copied, for whoever hears the button and does not see what it stands beside. */
  readonly what: string;
}

/** Copies, or selects for copying: without TLS a browser gives no page its clipboard. */
function CopyButton({ text, shownIn, what }: CopyButtonProps) {
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
