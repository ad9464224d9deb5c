import { Disposable } from '../../../../base/disposable';
import type { Sleep } from '../../../../core/ports';
import type { ResultStatus, RunOrigin } from '../../../../shared/query/results';
import { StatusPump } from '../../../platform/webview/webviewDispatcher';
import type { RequestedRun, QuerySession } from '../querySession';
import { type AdviceOn, toResultStatus } from './runStatus';

/** Page that shows a session's results. */
export interface ResultPage {
  /** Called when a different result is shown. */
  resultShown(requestedRun: RequestedRun): void;
  resultChanged(status: ResultStatus): void;
}

interface ReporterOptions {
  readonly sleep: Sleep;
  readonly adviceOn: AdviceOn;
}

/** Reports a session's current result and its status to a page, at most ten times per second. */
export class ResultReporter extends Disposable {
  private readonly changes: StatusPump<RequestedRun>;
  private readonly adviceOn: AdviceOn;

  constructor(
    private readonly session: QuerySession,
    private readonly page: ResultPage,
    { sleep, adviceOn }: ReporterOptions,
  ) {
    super();
    this.adviceOn = adviceOn;
    this.changes = this.register(
      new StatusPump(sleep, (requestedRun) => this.reportStatus(requestedRun)),
    );
    this.register(session.onDidShow(() => this.report()));
    this.register(session.onDidChange((requestedRun) => this.changes.request(requestedRun)));
  }

  /** Reports the current result to a page without state. */
  report(): void {
    const { current } = this.session;
    if (!current) return;
    this.page.resultShown(current);
    this.reportStatus(current);
  }

  private reportStatus(requestedRun: RequestedRun): void {
    if (requestedRun === this.session.current) {
      this.page.resultChanged(toResultStatus(requestedRun, this.adviceOn));
    }
  }
}

/** Describes a run for the header above its result. */
export function describeOrigin({ run, query, at }: RequestedRun, organization: string): RunOrigin {
  const { language, text: statement } = run.query;
  return { language, statement, at, organization, file: query.file };
}
