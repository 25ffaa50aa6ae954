/** Matches the paths of a template such as `/api/reports/{id}`, as the routers do: in any letter case, with or without an end slash. */
export function pathPattern(template: string): RegExp {
  const parts = template
    .split(/(\{\w+\})/)
    .map(part => (part.startsWith('{') ? '[^/]+' : part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${parts.join('')}/?$`, 'i');
}
