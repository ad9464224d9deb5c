import type { RecoveryActionLabels } from '../recoveryAction';
import type { QueryFinding, QueryLanguage } from './editor';

/** The example queries of a panel before the first run. */
export const queryExamples = ['latest', 'perHour', 'ofPart'] as const;
export type QueryExample = (typeof queryExamples)[number];

/**
 * Strings of a query panel's frame and its editor. The webview replaces the placeholders in braces.
 */
export interface QueryFrameStrings {
  readonly tools: {
    /** Label of the toolbar. */
    readonly label: string;
    /** Label for the organization whose data is queried. {0} is its name. */
    readonly organization: string;
    readonly language: string;
    readonly languages: Readonly<Record<QueryLanguage, string>>;
    readonly run: string;
    /** In this and the following hints, {0} is the keyboard shortcut. */
    readonly runHint: string;
    readonly runSelection: string;
    readonly runSelectionHint: string;
    readonly cancel: string;
    readonly cancelHint: string;
    readonly recent: string;
    readonly recentHint: string;
    /** Reason why recent data can't be selected for SQL. */
    readonly recentInSql: string;
    readonly insertId: string;
    readonly insertIdHint: string;
    readonly history: string;
    readonly more: string;
    readonly save: string;
    readonly open: string;
  };
  readonly editor: {
    /** {0} is the language. */
    readonly label: string;
    /** Description of the keys for screen readers. */
    readonly keys: string;
    /** Label of the list of completions at the cursor. */
    readonly completions: string;
    /** Placeholder of an empty editor. {0} is the key for completions. */
    readonly placeholder: string;
  };
  readonly search: {
    readonly find: string;
    readonly replaceWith: string;
    readonly next: string;
    readonly previous: string;
    readonly all: string;
    readonly matchCase: string;
    readonly pattern: string;
    readonly wholeWord: string;
    readonly replace: string;
    readonly replaceAll: string;
    readonly close: string;
    /**
     * For screen readers: text before the match. The next string is the text before the line
     * number.
     */
    readonly currentMatch: string;
    readonly onLine: string;
  };
  readonly problems: {
    /** Label of the list of problems. */
    readonly label: string;
    /** Label of the expandable list of warnings. */
    readonly warnings: string;
    /** {0} is the number of warnings, which is at least 2; {1} is the first warning. */
    readonly foldedWarnings: string;
    /** Same as `foldedWarnings`, but used if some of the problems are informational. */
    readonly foldedNotes: string;
    /**
     * Same as the previous strings, but used while all problems are listed below. {0} is their
     * number.
     */
    readonly unfoldedWarnings: string;
    readonly unfoldedNotes: string;
    readonly unfold: string;
    readonly severities: Readonly<Record<QueryFinding['severity'], string>>;
    /** {0} is the problem. */
    readonly goTo: string;
    /** {0} is the line, {1} the column. */
    readonly lineAndColumn: string;
  };
  readonly parameters: {
    readonly label: string;
    /** {0} is the name of the parameter. */
    readonly value: string;
    readonly choose: string;
    /** {0} is the name of the parameter. */
    readonly chooseHint: string;
  };
  readonly splitter: string;
  readonly history: {
    readonly label: string;
    readonly search: string;
    readonly list: string;
    /** Description of the list's keys for screen readers. */
    readonly keys: string;
    readonly text: string;
    readonly use: string;
    readonly useHint: string;
    readonly runAgain: string;
    readonly runAgainHint: string;
    readonly forget: string;
    readonly forgetHint: string;
    readonly forgetAll: string;
    readonly forgetAllHint: string;
    readonly close: string;
    readonly loading: string;
    readonly countOne: string;
    readonly count: string;
    readonly nothingFound: string;
    readonly nothingYet: string;
    /** Shown if the user has turned off the history. */
    readonly historyOff: string;
    /** {0} is the query language, {1} the time of the run. */
    readonly ranAt: string;
    readonly rowsOne: string;
    readonly rows: string;
    /** Shown instead of the row count if the query failed or was canceled. */
    readonly unfinished: string;
  };
  readonly empty: {
    readonly title: string;
    readonly hint: string;
    readonly examples: Readonly<Record<QueryExample, string>>;
  };
  readonly ways: RecoveryActionLabels;
  readonly states: {
    /** Reason why the query can't be run at the moment. */
    readonly cannotRun: string;
    readonly nothingToRun: string;
    readonly nothingSelected: string;
    readonly dismiss: string;
  };
}
