import { isSymbol, getTokenName, type SqlToken } from './sqlTokens';

/** Element of a name such as `data.readings."wind speed"`. */
export interface ChainStep {
  readonly name: string;
  readonly token: SqlToken;
}

/**
 * Reads a name and its members, starting at its first word. Excludes functions that are called with
 * a dot, and the contents of list subscripts.
 */
export function readChain(tokens: readonly SqlToken[], index: number): readonly ChainStep[] {
  const steps: ChainStep[] = [];
  for (let at = index; ;) {
    const token = tokens[at];
    const name = getTokenName(token);
    if (token === undefined || name === undefined || isSymbol(tokens[at + 1], '(')) return steps;
    steps.push({ name, token });
    at += 1;
    while (isKeyAt(tokens, at)) {
      const key = tokens[at + 1];
      if (key) steps.push({ name: key.text.slice(1, -1).replaceAll("''", "'"), token: key });
      at += 3;
    }
    if (!isSymbol(tokens[at], '.')) return steps;
    at += 1;
  }
}

/** Returns true if `['name']` is at this position. */
function isKeyAt(tokens: readonly SqlToken[], at: number): boolean {
  return (
    isSymbol(tokens[at], '[') && tokens[at + 1]?.kind === 'text' && isSymbol(tokens[at + 2], ']')
  );
}
