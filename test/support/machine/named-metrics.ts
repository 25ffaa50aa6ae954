import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

export function alertRules(): AlertRule[] {
  const { groups }: { groups: { rules: AlertRule[] }[] } = parse(
    readFileSync('deploy/prometheus/alerts.yaml', 'utf8'),
  );
  return groups.flatMap(({ rules }) => rules);
}

export interface Panel {
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}

export function dashboardPanels(): Panel[] {
  const { panels }: { panels: Panel[] } = JSON.parse(readFileSync('deploy/grafana/council.json', 'utf8'));
  return panels;
}

/** Every metric that an alert, a panel or the operations document uses, and where. */
export function namedMetrics(): Map<string, string> {
  const texts: [where: string, text: string][] = [
    ...alertRules().map(({ alert, expr }): [string, string] => [`alert ${alert}`, expr]),
    ...dashboardPanels().flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }): [string, string] => [`panel ${title}`, expr]),
    ),
    ['docs/operations.md', readFileSync('docs/operations.md', 'utf8')],
  ];
  return new Map(texts.flatMap(([where, text]) => metricsIn(text).map(name => [name, where] as const)));
}

/** Found by their prefixes, which functions, labels and durations in a query do not have; the database role does. */
export function metricsIn(text: string): string[] {
  return text.match(/\b(?!council_service\b)(?:council|temporal|process|nodejs)_[a-z0-9_]+\b/g) ?? [];
}
