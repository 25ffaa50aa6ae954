/** A figure in a table; what there is none of is a dash, and read out as what it is. */
export function Figure({ text }: { readonly text: string | null }) {
  if (text !== null) return text;
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="unseen">none</span>
    </>
  );
}
