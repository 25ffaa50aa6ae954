/** Where to find what, on a page that is long. */
export function ReportContents({ isGraded }: { readonly isGraded: boolean }) {
  const parts = [
    ['summary', 'Summary'],
    ['probabilities', 'Probabilities'],
    ['bets', 'Bets'],
    ...(isGraded ? [['grade', 'What happened']] : []),
    ['deliberation', 'Deliberation'],
    ['provenance', 'How it was made'],
  ];
  return (
    <nav className="contents" aria-label="On this page">
      <ul>
        {parts.map(([id, title]) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
