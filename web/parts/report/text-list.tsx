interface TextListProps {
  readonly title: string;
  /** A model's own, shown as text and nothing else. */
  readonly texts: readonly string[];
}

export function TextList({ title, texts }: TextListProps) {
  return (
    <div className="text-list">
      <h4>{title}</h4>
      {texts.length === 0 ? (
        <p className="muted">None named.</p>
      ) : (
        <ul>
          {texts.map((text, index) => (
            // A model may say the same twice.
            <li key={index} className="as-written">
              {text}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
