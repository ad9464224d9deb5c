import * as l10n from '@vscode/l10n';
import { LANGUAGE_NAMES } from '../queryContext';
import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { sql, SQLDialect } from '@codemirror/lang-sql';
import {
  bracketMatching,
  indentOnInput,
  StreamLanguage,
  type StreamParser,
  syntaxHighlighting,
  syntaxTree,
} from '@codemirror/language';
import { nextDiagnostic, previousDiagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  MatchDecorator,
  placeholder,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import type { QueryHover, QueryLanguage } from '../../../src/shared/query/editor';
import { completionSource, type RequestCompletions } from './completionSource';
import { element } from '../../ui/elements';

const isMac = navigator.userAgent.includes('Mac');

/** Names of the panel's keys, as shown to users. */
export const keyNames = {
  run: isMac ? '⌘Enter' : 'Ctrl+Enter',
  runSelection: isMac ? '⇧⌘Enter' : 'Ctrl+Shift+Enter',
  cancel: isMac ? '⇧Esc' : 'Shift+Esc',
  complete: isMac ? '⌃Space' : 'Ctrl+Space',
} as const;

/** ID of the element that describes the keys to screen readers. */
export const KEYS_HELP = 'query-editor-keys';

export interface EditorActions {
  readonly complete: RequestCompletions;
  readonly hover: RequestHover;
  readonly run: () => void;
  readonly runSelection: () => void;
  readonly cancel: () => void;
  /**
   * Moves focus to the fix for the problem at an offset.
   * @returns false if there is no fix
   */
  readonly focusFix: (offset: number) => boolean;
}

interface ExtensionOptions extends EditorActions {
  readonly language: QueryLanguage;
}

/** Returns the editor extensions for a language. */
export function editorExtensions(options: ExtensionOptions): Extension {
  const { language, complete, hover } = options;
  return [
    language === 'sql' ? sql({ dialect: sqlDialect }) : mqlLanguage,
    parameterMarks,
    keys(options),
    ...[lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), history()],
    ...[bracketMatching(), closeBrackets(), indentOnInput(), EditorView.lineWrapping],
    ...[search({ top: true }), highlightSelectionMatches()],
    autocompletion({ override: [completionSource(complete)], activateOnTypingDelay: 50 }),
    hoverSource(hover),
    syntaxHighlighting(classHighlighter),
    placeholder(l10n.t('Write a query. Press {0} for suggestions.', keyNames.complete)),
    EditorState.phrases.of(editorPhrases()),
    EditorView.cspNonce.of(pageNonce()),
    EditorView.contentAttributes.of({
      'aria-label': l10n.t('Query in {0}', LANGUAGE_NAMES[language]),
      'aria-describedby': KEYS_HELP,
      'data-focus': 'query editor',
    }),
  ];
}

function keys({ run, runSelection, cancel, focusFix }: EditorActions): Extension {
  const handled = (act: () => void) => (): boolean => {
    act();
    return true;
  };
  return [
    Prec.highest(
      keymap.of([
        { key: 'Mod-Shift-Enter', run: handled(runSelection) },
        { key: 'Mod-Enter', run: handled(run) },
        { key: 'Shift-Escape', run: handled(cancel) },
        { key: 'Mod-.', run: ({ state }) => focusFix(state.selection.main.head) },
        { key: 'Tab', run: acceptCompletion },
      ]),
    ),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      { key: 'F8', run: nextDiagnostic, shift: previousDiagnostic },
      indentWithTab,
    ]),
  ];
}

/** Returns the nonce of styles that the page's content security policy allows. */
function pageNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.content ?? '';
}

/**
 * The SQL dialect of queries, for syntax highlighting. Predefined dialects treat column names such
 * as `data` and `tags` as keywords.
 */
const sqlDialect = SQLDialect.define({
  keywords:
    'all and any as asc asof between by case cast collate cross cube current desc distinct else end ' +
    'escape except exclude exists explain fetch filter first following from full group grouping ' +
    'having ilike in inner intersect interval into is isnull join last lateral left like limit ' +
    'natural not notnull nulls offset on or order outer over partition pivot positional preceding ' +
    'qualify range recursive replace respect right rollup row rows sample select semi sets similar ' +
    'tablesample then ties to try_cast unbounded union unnest unpivot using values when ' +
    'where window with within',
  types:
    'bigint bit blob bool boolean date decimal double float hugeint int integer json numeric real ' +
    'smallint struct text timestamp timestamptz time tinyint ubigint uinteger uuid varchar',
  operatorChars: '+-*/<>=~!@%^&|?',
  doubleDollarQuotedStrings: true,
  doubleQuotedStrings: false,
});

/** Translations of the editor's own strings, by the English phrases that it uses as keys. */
function editorPhrases(): Readonly<Record<string, string>> {
  return {
    Completions: l10n.t('Completions'),
    Find: l10n.t('Find'),
    Replace: l10n.t('Replace with'),
    next: l10n.t('Next'),
    previous: l10n.t('Previous'),
    all: l10n.t('Select All'),
    'match case': l10n.t('Match Case'),
    regexp: l10n.t('Regular Expression'),
    'by word': l10n.t('Whole Words'),
    replace: l10n.t('Replace'),
    'replace all': l10n.t('Replace All'),
    close: l10n.t('Close'),
    'current match': l10n.t('Match'),
    'on line': l10n.t('on line'),
  };
}

const parameter = Decoration.mark({ class: 'query-parameter-mark' });

const decorator = new MatchDecorator({
  regexp: /(?<![:\w]):[A-Za-z_]\w*|\{\{\s*[A-Za-z_]\w*\s*\}\}/g,
  decorate: (add, from, to, [found], view) => {
    const around = syntaxTree(view.state).resolveInner(from, 1).name;
    // In strings and comments, only the form with braces is a parameter.
    const isWithin = /string|comment/i.test(around);
    if (!isWithin || (found.startsWith('{') && /string/i.test(around))) add(from, to, parameter);
  },
});

/** Highlights the parameters that will be replaced with values. */
const parameterMarks: Extension = ViewPlugin.define<{ marks: DecorationSet }>(
  (view) => ({
    marks: decorator.createDeco(view),
    update(update: ViewUpdate) {
      this.marks = decorator.updateDeco(update, this.marks);
    },
  }),
  { decorations: ({ marks }) => marks },
);

/** Requests the information about an offset in the text; rejects if there is none. */
type RequestHover = (at: {
  readonly text: string;
  readonly offset: number;
}) => Promise<QueryHover | undefined>;

/**
 * Shows a name's description while the pointer hovers over it. Keyboard users get the description
 * from the completions.
 */
function hoverSource(request: RequestHover): Extension {
  return hoverTooltip(
    async ({ state }, offset) => {
      // Show no hover if its content can't be loaded.
      const found = await request({ text: state.doc.toString(), offset }).catch(() => undefined);
      if (!found) return null;
      const { start: pos, end } = found;
      return { pos, end, above: true, create: () => ({ dom: renderHover(found) }) };
    },
    { hideOnChange: true },
  );
}

function renderHover({ code, text }: QueryHover): HTMLElement {
  const parts = [element('code', {}, code)];
  if (text !== undefined) parts.push(element('p', {}, text));
  return element('div', { class: 'query-hover' }, ...parts);
}

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
    if (character === '}' || character === ']') {
      parserState.depth = Math.max(0, parserState.depth - 1);
    }
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

const mqlLanguage = StreamLanguage.define(mql);
