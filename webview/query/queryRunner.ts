import * as l10n from '@vscode/l10n';
import { HostError } from '../messaging/hostConnection';
import type { EditorPart, QueryEditor } from './editor/queryEditor';
import type { NoticeBar } from '../ui/noticeBar';
import type { ParameterRow } from './parameterRow';
import type { QueryContext } from './queryContext';
import { isQueryLanguage, type QueryLanguage } from '../../src/shared/query/editor';
import type { ResultStatus, ShownResult } from '../../src/shared/query/results';
import { isNumber, isShape, isString } from '../../src/shared/guards';
import type { ViewStateStore } from '../ui/createViewStateStore';
import type { EditorProblem } from './editor/editorProblems';

interface RunnerOptions {
  readonly context: QueryContext;
  readonly editor: QueryEditor;
  readonly parameters: ParameterRow;
  readonly notice: NoticeBar;
  readonly run: PanelRun;
  /** True if MQL queries use recent data. */
  readonly recent: boolean;
}

/** Runs the editor's text, or explains why it can't be run. */
export class QueryRunner {
  /** The reason why queries can't be run, if any. */
  problem: string | undefined;
  private includesRecent: boolean;

  constructor(private readonly options: RunnerOptions) {
    this.includesRecent = options.recent;
  }

  get recent(): boolean {
    return this.includesRecent;
  }

  /**
   * Turns recent data on or off.
   * @returns false if the value wasn't applied, because SQL doesn't support recent data; in this
   *   case, the user is notified.
   */
  setRecent(recent: boolean): boolean {
    const { editor, notice } = this.options;
    if (editor.language === 'sql') {
      notice.showNotice(
        l10n.t('To query only recent data, use MQL. In SQL, add a condition on time_received.'),
      );
      return false;
    }
    this.includesRecent = recent;
    return true;
  }

  runAll(): void {
    void this.runQuery({ text: this.options.editor.text, offset: 0 });
  }

  runSelection(): void {
    const { editor, notice } = this.options;
    if (editor.selection) void this.runQuery(editor.selection);
    else notice.showNotice(l10n.t('First, select the part of the query to run.'));
  }

  cancel(): void {
    const { context, run } = this.options;
    if (run.running !== undefined) context.host.send('cancelResult', { result: run.running });
  }

  /** Reports a failed run; ignores canceled requests. */
  failed(error: unknown): void {
    if (error instanceof HostError && error.kind === 'canceled') return;
    this.options.notice.showError(error);
  }

  private async runQuery({ text, offset }: EditorPart): Promise<void> {
    const { context, editor, parameters, notice, run } = this.options;
    const { host } = context;
    const { language } = editor;
    notice.clear();
    const obstacle =
      this.problem ?? (text.trim() === '' ? l10n.t('There is no query to run.') : undefined);
    if (obstacle !== undefined) {
      notice.showNotice(obstacle);
      return;
    }
    run.begin({ language, whole: editor.text, offset });
    const recent = this.recent && language === 'mql';
    try {
      await host.request('runQuery', { language, text, recent, parameters: parameters.values });
    } catch (error) {
      this.failed(error);
      if (error instanceof HostError && error.kind === 'invalid') parameters.focusMissing();
    }
  }
}

/** The part of the editor's text that was run. */
export interface QueryText {
  readonly language: QueryLanguage;
  /** The editor's entire text, even if only part of it was run. */
  readonly whole: string;
  /** Start offset of the part that was run. */
  readonly offset: number;
}

/** The text that produced a result. */
interface ResultSource extends QueryText {
  readonly result: string;
}

const STATE_KEY = 'run';

const isResultSource = isShape<ResultSource>({
  language: isQueryLanguage,
  whole: isString,
  offset: isNumber,
  result: isString,
});

/**
 * The run whose result is shown, its progress, and the position in the editor at which it failed.
 * The text that was run is saved, because VS Code recreates a hidden page and the editor's text can
 * be different by then.
 */
export class PanelRun {
  private shown: ShownResult | undefined;
  private status: ResultStatus | undefined;
  private pendingSource: QueryText | undefined;
  /** Text that produced the shown result. */
  private text: QueryText | undefined;

  constructor(private readonly viewStates: ViewStateStore) {}

  /** ID of the shown result if its query is still running. */
  get running(): string | undefined {
    const { status } = this;
    const goesOn = status?.state === 'waiting' || status?.state === 'running';
    return goesOn ? status.result : undefined;
  }

  /** Starts a run of the editor's text, whose result will be shown. */
  begin(text: QueryText): void {
    this.pendingSource = text;
  }

  show(shown: ShownResult): void {
    if (shown.result !== this.shown?.result) this.status = undefined;
    this.shown = shown;
    this.text = this.findSource(shown);
  }

  /** @returns true if the status belongs to the shown result */
  changed(status: ResultStatus): boolean {
    if (this.shown !== undefined && status.result !== this.shown.result) return false;
    this.status = status;
    return true;
  }

  /**
   * Returns the reason and position of the failure if the editor still contains the text that was
   * run.
   */
  problemIn(language: QueryLanguage, whole: string): EditorProblem | undefined {
    const { text, status } = this;
    const problem = status?.problem;
    if (!text || problem?.start === undefined) return undefined;
    if (text.language !== language || text.whole !== whole) return undefined;
    const start = text.offset + problem.start;
    const end = text.offset + (problem.end ?? problem.start);
    return { start, end, severity: 'error', message: problem.message, fixes: [] };
  }

  private findSource({ result }: ShownResult): QueryText | undefined {
    if (this.pendingSource) {
      this.viewStates.set(STATE_KEY, { ...this.pendingSource, result } satisfies ResultSource);
      return this.pendingSource;
    }
    const before = this.viewStates.get(STATE_KEY);
    return isResultSource(before) && before.result === result ? before : undefined;
  }
}
