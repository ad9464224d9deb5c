import { StreamLanguage, type StreamParser } from '@codemirror/language';

interface ParserState {
  depth: number;
  inComment: boolean;
}

const text = /^"(?:[^"\\]|\\.)*"?/;
const number = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/;

/**
 * Language of MQL pipelines: JSON with comments and trailing commas, in which names that start with
 * `$` are stages and operators, and strings that start with `$` are fields. The editor's JSON
 * grammar doesn't support comments.
 */
const mql: StreamParser<ParserState> = {
  name: 'mql',
  startState: () => ({ depth: 0, inComment: false }),
  copyState: (parserState) => ({ ...parserState }),
  token(stream, parserState) {
    if (parserState.inComment || stream.match('/*')) {
      parserState.inComment = stream.match(/^.*?\*\//) === null;
      if (parserState.inComment) stream.skipToEnd();
      return 'comment';
    }
    if (stream.eatSpace()) return null;
    if (stream.match('//')) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match(text)) {
      const isOperator = stream.current().startsWith('"$');
      const isName = stream.match(/^\s*:/, false) !== null;
      if (isName) return isOperator ? 'keyword' : 'propertyName';
      return isOperator ? 'variableName' : 'string';
    }
    if (stream.match(number)) return 'number';
    if (stream.match(/^(?:true|false|null)\b/)) return 'bool';
    const character = stream.next();
    if (character === '{' || character === '[') parserState.depth += 1;
    if (character === '}' || character === ']')
      parserState.depth = Math.max(0, parserState.depth - 1);
    return null;
  },
  indent: ({ depth }, after, { unit }) =>
    Math.max(0, /^\s*[}\]]/.test(after) ? depth - 1 : depth) * unit,
  languageData: {
    closeBrackets: { brackets: ['[', '{', '"'] },
    commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
    indentOnInput: /^\s*[}\]]$/,
  },
};

export const mqlLanguage = StreamLanguage.define(mql);
