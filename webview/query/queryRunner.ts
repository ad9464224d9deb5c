import { HostError } from '../messaging/hostConnection';
import type { EditorPart, QueryEditor } from './editor/queryEditor';
import type { NoticeBar } from './noticeBar';
import type { PanelRun } from './panelRun';
import type { ParameterRow } from './parameterRow';
import type { QueryContext } from './queryContext';

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
    const { context, editor, notice } = this.options;
    if (editor.language === 'sql') {
      notice.showNotice(context.strings.tools.recentInSql);
      return false;
    }
    this.includesRecent = recent;
    return true;
  }

  runAll(): void {
    void this.runQuery({ text: this.options.editor.text, offset: 0 });
  }

  runSelection(): void {
    const { context, editor, notice } = this.options;
    if (editor.selection) void this.runQuery(editor.selection);
    else notice.showNotice(context.strings.states.nothingSelected);
  }

  cancel(): void {
    const { context, run } = this.options;
    if (run.running !== undefined) context.host.send('cancelResult', { result: run.running });
  }

  /** Reports a failed run; ignores canceled requests. */
  failed(error: unknown): void {
    if (error instanceof HostError && error.kind === 'canceled') return;
    this.options.notice.failed(error);
  }

  private async runQuery({ text, offset }: EditorPart): Promise<void> {
    const { context, editor, parameters, notice, run } = this.options;
    const { host, strings } = context;
    const { language } = editor;
    notice.clear();
    const obstacle = this.problem ?? (text.trim() === '' ? strings.states.nothingToRun : undefined);
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
