import type { Diagnostic } from '../languageFeatures';
import { nearestName } from '../../../../base/nearestName';
import { isSymbol, isWord, type SqlToken } from '../../../model/sqlTokens';

const PARTNERS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
/** First words of read-only statements. */
const FIRST_WORDS = [
  ...([
    'SELECT',
    'WITH',
    'FROM',
    'VALUES',
    'TABLE',
    'DESCRIBE',
    'DESC',
    'SHOW',
    'SUMMARIZE',
  ] as const),
  ...(['PIVOT', 'UNPIVOT', 'PIVOT_WIDER', 'PIVOT_LONGER'] as const),
] as const;

/** Reports syntax errors, independent of the query's meaning. */
export function checkWriting(
  tokens: readonly SqlToken[],
  statements: readonly (readonly SqlToken[])[],
): Diagnostic[] {
  const open = tokens.filter(({ isClosed }) => !isClosed).map(notClosed);
  // If brackets are not closed, any further diagnostics would be unreliable.
  if (open.length > 0) return open;
  return [...checkBrackets(tokens), ...statements.flatMap(checkFirstWord)];
}

function notClosed({ text, start, end }: SqlToken): Diagnostic {
  const subject = /^(?:\/\*|\$[^$]*\$|[eE]?'|")/.exec(text)?.[0] ?? '';
  // Marks only the first line, because the text after it is probably not part of the string or
  // comment.
  const line = text.search(/\r?\n/);
  const shown = line === -1 ? end : start + line;
  return { rule: 'notClosed', severity: 'error', subject, fixes: [], start, end: shown };
}

function checkBrackets(tokens: readonly SqlToken[]): Diagnostic[] {
  const open: SqlToken[] = [];
  const single: SqlToken[] = [];
  for (const token of tokens) {
    if (isSymbol(token, '(', '[', '{')) open.push(token);
    const partner = token.kind === 'symbol' ? PARTNERS[token.text] : undefined;
    if (partner === undefined) continue;
    if (open.at(-1)?.text === partner) open.pop();
    else single.push(token);
  }
  return [...open, ...single].map(({ text, start, end }) => ({
    rule: 'bracket',
    severity: 'error',
    subject: text,
    fixes: [],
    start,
    end,
  }));
}

function checkFirstWord([first]: readonly SqlToken[]): Diagnostic[] {
  if (first === undefined || isSymbol(first, '(') || isWord(first, ...FIRST_WORDS)) return [];
  const { text, start, end } = first;
  const suggestion = first.kind === 'word' ? nearestName(text, FIRST_WORDS) : undefined;
  const fixes =
    suggestion === undefined
      ? []
      : [
          {
            kind: 'replace' as const,
            subject: suggestion,
            edits: [{ start, end, insert: suggestion }],
          },
        ];
  return [{ rule: 'notSelect', severity: 'error', subject: text, fixes, start, end }];
}
