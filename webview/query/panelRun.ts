import type { QueryLanguage } from '../../src/shared/query/editor';
import type { ResultStatus } from '../../src/shared/query/results';
import type { ShownResult } from '../../src/shared/query/shownResult';
import { isNumber, isShape, isString } from '../../src/shared/guards';
import { isQueryLanguage } from '../../src/shared/query/editor';
import type { KeptViews } from '../ui/keptViews';
import type { EditorProblem } from './editor/editorProblems';

/** What of the editor was run. */
export interface RunText {
  readonly language: QueryLanguage;
  /** All that the editor had, also when only a part of it was run. */
  readonly whole: string;
  /** Where the part that was run begins. */
  readonly offset: number;
}

/** What a result came of. */
interface ResultText extends RunText {
  readonly result: string;
}

const KEPT = 'run';

const isResultText = isShape<ResultText>({
  ...{ language: isQueryLanguage, whole: isString, offset: isNumber, result: isString },
});

/**
 * The run whose result is shown: whether it goes on, and where in the editor it failed. A page that was
 * hidden is made again, and the editor's text may be another by then: so what was run is kept.
 */
export class PanelRun {
  private shown: ShownResult | undefined;
  private status: ResultStatus | undefined;
  private asked: RunText | undefined;
  /** What the result that is shown came of. */
  private text: RunText | undefined;

  constructor(private readonly kept: KeptViews) {}

  /** The result that goes on. */
  get running(): string | undefined {
    const { status } = this;
    const goesOn = status?.state === 'waiting' || status?.state === 'running';
    return goesOn ? status.result : undefined;
  }

  /** A text of the editor is asked; what is shown next comes of it. */
  begin(text: RunText): void {
    this.asked = text;
  }

  show(shown: ShownResult): void {
    if (shown.result !== this.shown?.result) this.status = undefined;
    this.shown = shown;
    this.text = this.textOf(shown);
  }

  /** @returns whether it is about what is shown */
  changed(status: ResultStatus): boolean {
    if (this.shown !== undefined && status.result !== this.shown.result) return false;
    this.status = status;
    return true;
  }

  /** Why and where the editor's text failed, as long as it holds what was run. */
  problemIn(language: QueryLanguage, whole: string): EditorProblem | undefined {
    const { text, status } = this;
    const problem = status?.problem;
    if (!text || problem?.start === undefined) return undefined;
    if (text.language !== language || text.whole !== whole) return undefined;
    const start = text.offset + problem.start;
    const end = text.offset + (problem.end ?? problem.start);
    return { start, end, severity: 'error', message: problem.message, fixes: [] };
  }

  private textOf({ result }: ShownResult): RunText | undefined {
    if (this.asked) {
      this.kept.set(KEPT, { ...this.asked, result } satisfies ResultText);
      return this.asked;
    }
    const before = this.kept.get(KEPT);
    return isResultText(before) && before.result === result ? before : undefined;
  }
}
