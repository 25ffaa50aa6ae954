import type { ReactNode } from 'react';

/** The Markdown of the OpenAPI document: paragraphs with `code` and **strong** words. */
export function Markdown({ text }: { readonly text: string }) {
  return text.split(/\n{2,}/).map(paragraph => (
    <p key={paragraph}>
      <Inline text={paragraph} />
    </p>
  ));
}

/** The same within a line. */
export function Inline({ text }: { readonly text: string }): ReactNode {
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .map((part, index) => <Marked key={`${String(index)} ${part}`} part={part} />);
}

function Marked({ part }: { readonly part: string }): ReactNode {
  if (part.startsWith('`') && part.length > 1) return <code>{part.slice(1, -1)}</code>;
  if (part.startsWith('**')) return <strong>{part.slice(2, -2)}</strong>;
  return part;
}
