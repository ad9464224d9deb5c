import type { QueryLanguage } from '../../src/shared/query/editor';
import type { ResultStatus } from '../../src/shared/query/results';
import type { ShownResult } from '../../src/shared/query/shownResult';
import { isNumber, isShape, isString } from '../../src/shared/guards';
import { isQueryLanguage } from '../../src/shared/query/editor';
import type { ViewStateStore } from '../ui/createViewStateStore';
import type { EditorProblem } from './editor/editorProblems';

/** The part of the editor's text that was run. */
export interface QuerySource {
  readonly language: QueryLanguage;
  /** The editor's entire text, even if only part of it was run. */
  readonly whole: string;
  /** Start offset of the part that was run. */
  readonly offset: number;
}

/** The text that produced a result. */
interface ResultSource extends QuerySource {
  readonly result: string;
}

const KEPT = 'run';

const isResultSource = isShape<ResultSource>({
  ...{ language: isQueryLanguage, whole: isString, offset: isNumber, result: isString },
});

/**
 * The run whose result is shown, its progress, and the position in the editor at which it failed.
 * VS Code recreates a hidden page, and the editor's text can be different by then, so the text that
 * was run is saved.
 */
export class PanelRun {
  private shown: ShownResult | undefined;
  private status: ResultStatus | undefined;
  private pendingSource: QuerySource | undefined;
  /** Text that produced the shown result. */
  private text: QuerySource | undefined;

  constructor(private readonly viewStates: ViewStateStore) {}

  /** ID of the shown result if its query is still running. */
  get running(): string | undefined {
    const { status } = this;
    const goesOn = status?.state === 'waiting' || status?.state === 'running';
    return goesOn ? status.result : undefined;
  }

  /** Starts a run of the editor's text, whose result will be shown. */
  begin(text: QuerySource): void {
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

  private findSource({ result }: ShownResult): QuerySource | undefined {
    if (this.pendingSource) {
      this.viewStates.set(KEPT, { ...this.pendingSource, result } satisfies ResultSource);
      return this.pendingSource;
    }
    const before = this.viewStates.get(KEPT);
    return isResultSource(before) && before.result === result ? before : undefined;
  }
}
