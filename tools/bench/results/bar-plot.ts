export interface BarPlot {
  readonly title: string;
  /** Labels of the groups. */
  readonly groups: readonly string[];
  /** One value per group. */
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
  /** Stacks the bars of a group instead of drawing them side by side. */
  readonly stacked?: boolean;
  /** A horizontal line for a goal. */
  readonly line?: { readonly name: string; readonly value: number };
}

const width = 720;
const height = 330;
const area = { left: 60, right: 20, top: 66, bottom: 40 };
const colours = ['#2f5d8a', '#d08a2e', '#5b8f5b', '#a4556b', '#7a6aa8', '#8a8a8a'];

/** Renders a bar chart as plain SVG without scripts or fonts. The same input gives the same bytes. */
export function barPlot(plot: BarPlot): string {
  const tops = plot.groups.map((_, group) => {
    const values = plot.series.map(({ values }) => values[group] ?? 0);
    return plot.stacked === true ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
  const step = niceStep(Math.max(...tops, plot.line?.value ?? 0));
  const top = step * Math.ceil(Math.max(...tops, plot.line?.value ?? 0) / step);
  const y = (value: number) =>
    fixed(height - area.bottom - (value / top) * (height - area.top - area.bottom));
  const parts = [
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(area.left, 24, plot.title, 'font-weight="bold" font-size="15"'),
    ...plot.series.flatMap(({ name }, index) => legend(name, index)),
    ...Array.from({ length: Math.round(top / step) + 1 }, (_, index) => gridLine(index * step, y)),
    ...bars(plot, y),
    ...(plot.line === undefined ? [] : goalLine(plot.line, y)),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" role="img" aria-label="${escaped(plot.title)}">`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

function bars({ groups, series, stacked = false }: BarPlot, y: (value: number) => number): string[] {
  const slot = (width - area.left - area.right) / groups.length;
  const bar = (0.7 * slot) / (stacked ? 1 : series.length);
  return groups.flatMap((group, index) => {
    const left = area.left + slot * (index + 0.15);
    let below = 0;
    const drawn = series.map(({ values }, which) => {
      const value = values[index] ?? 0;
      const from = stacked ? below : 0;
      below += value;
      const x = fixed(left + (stacked ? 0 : which * bar));
      const tall = fixed(y(from) - y(from + value));
      const colour = colours[which % colours.length];
      return `<rect x="${x}" y="${y(from + value)}" width="${fixed(bar - 1)}" height="${tall}" fill="${colour}"/>`;
    });
    return [...drawn, text(left + 0.35 * slot, height - 18, group, 'text-anchor="middle"')];
  });
}

function gridLine(value: number, y: (value: number) => number): string {
  const label = text(
    area.left - 8,
    y(value) + 4,
    String(Number(value.toFixed(3))),
    'text-anchor="end" fill="#555555"',
  );
  return `<line x1="${area.left}" x2="${width - area.right}" y1="${y(value)}" y2="${y(value)}" stroke="#dddddd"/>${label}`;
}

function goalLine({ name, value }: { name: string; value: number }, y: (value: number) => number): string[] {
  return [
    `<line x1="${area.left}" x2="${width - area.right}" y1="${y(value)}" y2="${y(value)}" stroke="#b03030" stroke-dasharray="6 4"/>`,
    text(width - area.right, y(value) - 5, name, 'text-anchor="end" fill="#b03030"'),
  ];
}

function legend(name: string, index: number): string[] {
  const x = area.left + 110 * index;
  return [
    `<rect x="${x}" y="38" width="10" height="10" fill="${colours[index % colours.length]}"/>`,
    text(x + 15, 47, name, ''),
  ];
}

function text(x: number, y: number, label: string, attributes: string): string {
  return `<text x="${fixed(x)}" y="${fixed(y)}" ${attributes}>${escaped(label)}</text>`;
}

/** A step of 1, 2 or 5 times a power of ten, so that about five steps reach the highest bar. */
function niceStep(highest: number): number {
  const rough = Math.max(highest, Number.MIN_VALUE) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5, 10].find(factor => factor * power >= rough) ?? 10);
}

function fixed(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(label: string): string {
  return label.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
