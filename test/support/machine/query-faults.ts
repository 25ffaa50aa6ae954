/**
 * The syntax errors of a PromQL query that can be found without Prometheus: tokens, brackets, labels,
 * functions, and the order of operands and operators. `promtool check rules` finds more; this check runs
 * everywhere.
 */
export function queryFaults(expr: string): string[] {
  const tokens = tokensOf(expr);
  return tokens === null ? [`cannot be read: ${expr}`] : [...bracketFaults(tokens), ...turnFaults(tokens)];
}

const token =
  /\s*(?:(?<text>"[^"\n]*"|'[^'\n]*')|(?<range>\[(?:\$\w+|\d+[smhdw])(?::(?:\d+[smhdw])?)?\])|(?<operator>==|!=|>=|<=|=~|!~|[-+*/%^<>=])|(?<number>\d+(?:\.\d+)?(?:[smhdw]\b)?)|(?<name>[a-zA-Z_:][\w:]*)|(?<bracket>[(){},]))/y;

type Kind = 'text' | 'range' | 'operator' | 'number' | 'name' | 'bracket';

interface Token {
  readonly kind: Kind;
  readonly text: string;
}

function tokensOf(expr: string): Token[] | null {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  while (expr.slice(token.lastIndex).trim() !== '') {
    const groups = token.exec(expr)?.groups;
    const found = Object.entries(groups ?? {}).find(([, text]) => text !== undefined);
    if (found === undefined) return null;
    tokens.push({ kind: found[0] as Kind, text: found[1] });
  }
  return tokens;
}

const functions = new Set(
  'sum min max avg count topk rate increase histogram_quantile absent absent_over_time time vector'.split(
    ' ',
  ),
);
const modifiers = new Set(['by', 'on', 'without', 'ignoring', 'group_left', 'group_right']);
const setOperators = new Set(['and', 'or', 'unless']);

function bracketFaults(tokens: readonly Token[]): string[] {
  const open: string[] = [];
  for (const { text } of tokens) {
    if (text === '(' || text === '{') open.push(text);
    if (text === ')' && open.pop() !== '(') return ['a ) closes nothing'];
    if (text === '}' && open.pop() !== '{') return ['a } closes nothing'];
  }
  return open.map(text => `a ${text} is not closed`);
}

/** Walks the tokens; label lists are checked and skipped. */
function turnFaults(tokens: readonly Token[]): string[] {
  const faults: string[] = [];
  let wantsOperand = true;
  for (let at = 0; at < tokens.length; at++) {
    const { kind, text } = tokens[at] ?? { kind: 'bracket', text: '' };
    const next = tokens[at + 1]?.text;
    if (kind === 'name' && modifiers.has(text)) {
      if (next !== '(') return [`${text} names no labels`];
      at = closing(tokens, at + 1, ')');
    } else if (text === 'offset') {
      at += 1;
    } else if (setOperators.has(text) || kind === 'operator') {
      if (wantsOperand) faults.push(`${text} has nothing before it`);
      wantsOperand = true;
    } else if (text === '{') {
      const end = closing(tokens, at, '}');
      faults.push(...labelFaults(tokens.slice(at + 1, end)));
      at = end;
    } else if (text === '(') {
      wantsOperand = next !== ')';
    } else if (text === ',') {
      wantsOperand = true;
    } else if (kind === 'name' || kind === 'number' || kind === 'text') {
      if (!wantsOperand) faults.push(`${text} follows something without an operator`);
      const isCall = next === '(' || modifiers.has(next ?? '');
      const called =
        kind === 'name' && isCall && !/_/.test(text.replace(/^(histogram_quantile|absent_over_time)$/, ''));
      if (called && !functions.has(text)) faults.push(`${text} is no function`);
      wantsOperand = kind === 'name' && functions.has(text);
    }
  }
  return wantsOperand ? [...faults, 'the last operator has nothing behind it'] : faults;
}

function closing(tokens: readonly Token[], from: number, bracket: string): number {
  const found = tokens.findIndex(({ text }, at) => at > from && text === bracket);
  return found === -1 ? tokens.length : found;
}

function labelFaults(inside: readonly Token[]): string[] {
  const written = inside.map(({ kind, text }) => (kind === 'operator' ? text : kind)).join(' ');
  return /^(name (=|!=|=~|!~) text( bracket (?!$)|$))*$/.test(written)
    ? []
    : [`labels cannot be read: ${written}`];
}
