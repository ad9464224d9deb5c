import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { sql } from '@codemirror/lang-sql';
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { nextDiagnostic, previousDiagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import type { QueryLanguage } from '../../../src/shared/query/editor';
import type { QueryFrameStrings } from '../../../src/shared/query/queryFrameStrings';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import { keyNames } from '../keyNames';
import { type RequestCompletions, completionSource } from './completionSource';
import { type RequestHover, hoverSource } from './hoverSource';
import { editorPhrases } from './editorPhrases';
import { mqlLanguage } from './mqlLanguage';
import { parameterMarks } from './parameterMarks';
import { sqlDialect } from './sqlDialect';

/** ID of the element that describes the keys to screen readers. */
export const KEYS_HELP = 'query-editor-keys';

export interface EditorActions {
  readonly complete: RequestCompletions;
  readonly hover: RequestHover;
  readonly run: () => void;
  readonly runSelection: () => void;
  readonly cancel: () => void;
  /**
   * Moves the focus to the fix of the problem at an offset.
   * @returns false if there is no fix
   */
  readonly focusFix: (offset: number) => boolean;
}

interface ExtensionOptions extends EditorActions {
  readonly language: QueryLanguage;
  readonly strings: QueryFrameStrings;
}

/** Returns the editor extensions for a language. */
export function editorExtensions(options: ExtensionOptions): Extension {
  const { language, strings, complete, hover } = options;
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
    placeholder(fillPlaceholders(strings.editor.placeholder, keyNames.complete)),
    EditorState.phrases.of(editorPhrases(strings)),
    EditorView.cspNonce.of(pageNonce()),
    EditorView.contentAttributes.of({
      'aria-label': fillPlaceholders(strings.editor.label, strings.tools.languages[language]),
      'aria-describedby': KEYS_HELP,
      'data-focus': 'query editor',
    }),
  ];
}

function keys({ run, runSelection, cancel, focusFix: mend }: EditorActions): Extension {
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
        { key: 'Mod-.', run: ({ state }) => mend(state.selection.main.head) },
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
