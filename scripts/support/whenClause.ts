/** Values of context keys; a key without a value counts as false. */
export type Context = Readonly<Record<string, string | boolean>>;

const TOKEN =
  /\s*(&&|\|\||==|!=|=~|!|\(|\)|\/(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])*\/i?|'[^']*'|[^\s&|=!()]+)/y;

/**
 * Evaluates a `when` clause of package.json. Supports all documented operators except `in` and
 * comparisons (https://code.visualstudio.com/api/references/when-clause-contexts).
 *
 * @throws Error if the clause can't be parsed
 */
export function evaluateWhen(clause: string, context: Context): boolean {
  const tokens = tokenize(clause);
  const take = (expected: string): boolean => {
    if (tokens[0] !== expected) return false;
    tokens.shift();
    return true;
  };
  // Parse both operands before combining them. With `||` or `&&`, short-circuiting would skip the
  // tokens of the right operand.
  const or = (): boolean => {
    let value = and();
    while (take('||')) value = [and(), value].includes(true);
    return value;
  };
  const and = (): boolean => {
    let value = not();
    while (take('&&')) value = ![not(), value].includes(false);
    return value;
  };
  const not = (): boolean => (take('!') ? !not() : comparison());
  const comparison = (): boolean => {
    if (take('(')) {
      const value = or();
      if (!take(')')) throw new Error(`A parenthesis is not closed in "${clause}".`);
      return value;
    }
    const key = tokens.shift() ?? '';
    if (key === 'true' || key === 'false') return key === 'true';
    const value = context[key] ?? false;
    if (take('==')) return String(value) === unquote(tokens.shift());
    if (take('!=')) return String(value) !== unquote(tokens.shift());
    if (take('=~')) return toPattern(tokens.shift()).test(value === false ? '' : String(value));
    return value !== false && value !== '';
  };
  const result = or();
  if (tokens.length > 0) throw new Error(`"${tokens.join(' ')}" is not expected in "${clause}".`);
  return result;
}

function tokenize(clause: string): string[] {
  const tokens: string[] = [];
  const token = new RegExp(TOKEN);
  while (token.lastIndex < clause.length) {
    const [, text] = token.exec(clause) ?? [];
    if (text === undefined) throw new Error(`"${clause}" is not a when clause.`);
    tokens.push(text);
  }
  return tokens;
}

function unquote(text = ''): string {
  return text.replace(/^'(.*)'$/, '$1');
}

function toPattern(text = ''): RegExp {
  const [, source = '', flags] = /^\/(.*)\/(i?)$/.exec(text) ?? [];
  return new RegExp(source, flags);
}
