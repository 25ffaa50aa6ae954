/** A, B, C…: what the answers are called wherever the names of their authors must not be known. */
export function reviewLabels(order: readonly unknown[]): string[] {
  return order.map((_, index) => String.fromCharCode(firstLabel + index));
}

const firstLabel = 'A'.charCodeAt(0);
