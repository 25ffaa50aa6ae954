import type { ReactNode } from 'react';

interface TableHeadProps {
  readonly texts: readonly ReactNode[];
  /** Right-aligned columns, after those with text. */
  readonly numbers?: readonly ReactNode[];
}

export function TableHead({ texts, numbers = [] }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {texts.map((name, index) => (
          <th key={index} scope="col">
            {name}
          </th>
        ))}
        {numbers.map((name, index) => (
          <th key={index} scope="col" className="number">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}
