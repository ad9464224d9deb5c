import type { CodeCell } from './notebookCell';

/** Opening line of a code block in Markdown (CommonMark, "Fenced code blocks"). */
export interface Fence {
  readonly indent: number;
  /** Opening marks: three or more backticks or tildes. The same number closes the block. */
  readonly marks: string;
  /** Text after the marks, starting with the name of the language. */
  readonly info: string;
}

const OPENING = /^( {0,3})(`{3,}|~{3,})([^]*)$/;
const CLOSING = /^ {0,3}(`+|~+)[ \t]*$/;
const QUERY_LANGUAGES: ReadonlySet<string> = new Set(['sql', 'mql']);
/** Word that marks a block in another language as a cell instead of an example in a text. */
const CELL_WORD = 'cell';
const RECENT_WORD = 'recent';
const PLAIN_LANGUAGE = 'plaintext';

export function openingFence(line: string): Fence | undefined {
  const match = OPENING.exec(line);
  if (!match) return undefined;
  const [, indent = '', marks = '', info = ''] = match;
  const isInline = marks.startsWith('`') && info.includes('`');
  return isInline ? undefined : { indent: indent.length, marks, info };
}

export function closesFence(line: string, { marks }: Fence): boolean {
  const closing = CLOSING.exec(line)?.[1];
  return closing?.[0] === marks[0] && (closing?.length ?? 0) >= marks.length;
}

/**
 * Returns fence marks that don't occur as a closing line in a text. @param wanted minimum marks to
 * use.
 */
export function marksAround(text: string, wanted = '```'): string {
  const mark = wanted.startsWith('~') ? '~' : '`';
  const within = text.matchAll(mark === '~' ? /^ {0,3}(~{3,})/gm : /^ {0,3}(`{3,})/gm);
  const longest = [...within].map(([, marks = '']) => marks.length + 1);
  return mark.repeat(Math.max(wanted.length, ...longest));
}

/**
 * Returns the cell that a fence opens: `sql`, `mql`, `mql recent`, or any other language followed
 * by `cell`. Returns undefined for other fences.
 */
export function cellBegunBy({
  indent,
  info,
}: Fence): Pick<CodeCell, 'language' | 'recent'> | undefined {
  const [word = '', ...further] = info.split(/[ \t]+/).filter((part) => part !== '');
  const language = queryLanguage(word);
  if (indent > 0 || !isWritable(word)) return undefined;
  const option = further.join(' ');
  if (language === undefined)
    return option === CELL_WORD ? { language: word, recent: false } : undefined;
  if (option === '') return { language, recent: false };
  return language === 'mql' && option === RECENT_WORD ? { language, recent: true } : undefined;
}

/** Returns the text after the marks in the opening fence of a cell. */
export function formatFenceInfo({
  language,
  recent,
}: Pick<CodeCell, 'language' | 'recent'>): string {
  const query = queryLanguage(language);
  if (query === undefined)
    return `${isWritable(language) ? language : PLAIN_LANGUAGE} ${CELL_WORD}`;
  return query === 'mql' && recent ? `${query} ${RECENT_WORD}` : query;
}

function queryLanguage(word: string): string | undefined {
  const language = word.toLowerCase();
  return QUERY_LANGUAGES.has(language) ? language : undefined;
}

function isWritable(language: string): boolean {
  return /^[\p{L}\p{N}][^\s`]*$/u.test(language);
}
