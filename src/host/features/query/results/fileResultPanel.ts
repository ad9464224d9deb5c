import * as vscode from 'vscode';
import { Disposable, DisposableSet } from '../../../../base/disposable';
import type { OrganizationTarget } from '../../../../core/model/resourceTarget';
import type { Logger, Sleep } from '../../../../core/ports';
import type { SpoolFactory } from '../../../../core/query/results/rowStore';
import { type FileResultProtocol, fileResultProtocol } from '../../../../shared/query/fileResult';
import type { QueryProblem, ResultStatus } from '../../../../shared/query/results';
import { WebviewDispatcher } from '../../../platform/webview/webviewDispatcher';
import type { PanelContent } from '../../../platform/webview/webviewPanels';
import { type RequestedRun, QuerySession, type QuerySessionOptions } from '../querySession';
import { toQueryProblem } from './runStatus';
import { adviceOn, describeMissingValues, describeSilence } from '../resultProblem';
import { describeFileRun, describeLostRun, type FileRun } from './fileRun';
import { resultHandlers } from './resultHandlers';
import { describeOrigin, ResultReporter } from './resultReporter';

export interface FileResultPanelOptions extends Omit<QuerySessionOptions, 'missingText'> {
  readonly presentError: (error: unknown) => void;
  readonly spools: SpoolFactory;
  /** Runs an error's recovery action. */
  readonly act: (action: string) => void;
  readonly sleep: Sleep;
  readonly log: Logger;
}

/** Webview panel with the result of a query file's last run. */
export class FileResultPanel extends Disposable implements PanelContent<FileRun> {
  private readonly dispatcher: WebviewDispatcher<FileResultProtocol>;
  private session: QuerySession;
  private reporter: ResultReporter;
  private live = this.register(new DisposableSet());

  /** @param last run whose result the panel shows, or showed before a window reload */
  constructor(
    private readonly panel: vscode.WebviewPanel,
    private last: FileRun,
    private readonly options: FileResultPanelOptions,
  ) {
    super();
    this.dispatcher = this.register(this.makeDispatcher());
    [this.session, this.reporter] = this.openSession(last.target);
    panel.title = vscode.l10n.t('Result: {0}', last.query.file.name);
  }

  get start(): FileRun {
    return this.last;
  }

  shows({ uri }: FileRun): boolean {
    return this.last.uri === uri;
  }

  /** Shows the panel next to the file without taking focus from it. */
  reveal(): void {
    const { panel } = this;
    const wouldHideFile = panel.viewColumn === vscode.window.activeTextEditor?.viewColumn;
    panel.reveal(wouldHideFile ? vscode.ViewColumn.Beside : undefined, true);
  }

  /**
   * Runs a query from the file and replaces the previous result. Resolves when the query has
   * finished.
   * @returns the problem and its position if the query failed
   */
  async run({
    target,
    query,
  }: Pick<FileRun, 'target' | 'query'>): Promise<QueryProblem | undefined> {
    const { connectionId, organizationId } = this.session.target;
    if (connectionId !== target.connectionId || organizationId !== target.organizationId) {
      [this.session, this.reporter] = this.openSession(target);
      this.reportService();
    }
    const requestedRun = this.session.runQuery(query);
    await requestedRun.run.ended;
    return toQueryProblem(requestedRun, adviceOn);
  }

  private openSession(target: OrganizationTarget): [QuerySession, ResultReporter] {
    const { sessions, runs, onDidRun, clock, sleep } = this.options;
    this.release(this.live);
    this.live = this.register(new DisposableSet());
    const missingText = describeMissingValues;
    const session = this.live.add(
      new QuerySession(target, { sessions, runs, onDidRun, clock, missingText }),
    );
    this.live.add(session.onDidChangeAccess(() => this.reportService()));
    const page = {
      resultShown: (requestedRun: RequestedRun): void => this.showResult(requestedRun, target),
      resultChanged: (status: ResultStatus): void =>
        this.dispatcher.notify('resultChanged', status),
    };
    return [session, this.live.add(new ResultReporter(session, page, { sleep, adviceOn }))];
  }

  private showResult(requestedRun: RequestedRun, target: OrganizationTarget): void {
    const { run, query, at } = requestedRun;
    const { file = this.last.query.file } = query;
    this.last = { uri: this.last.uri, target, query: { ...query, file }, at };
    this.dispatcher.notify('resultShown', {
      run: describeFileRun(this.last),
      shown: { result: run.id, origin: describeOrigin(requestedRun, target.name) },
    });
  }

  private makeDispatcher(): WebviewDispatcher<FileResultProtocol> {
    const { runs, spools, act, presentError, log } = this.options;
    const handlers = {
      ready: () =>
        Promise.resolve({
          locale: vscode.env.language,
          title: this.panel.title,
          run: describeFileRun(this.last),
          origin: describeLostRun(this.last),
          isLost: this.session.current === undefined,
        }),
      begin: () => {
        this.reporter.report();
        this.reportService();
      },
      runAgain: () => this.runAgain(),
      showSource: () => this.showSource(),
      ...resultHandlers({
        run: (result) => runs.get(result),
        spools,
        act: (action) => (action === 'retry' ? this.runAgain() : act(action)),
      }),
    };
    return new WebviewDispatcher(
      fileResultProtocol,
      this.panel.webview,
      handlers,
      presentError,
      log,
    );
  }

  /**
   * Reports to the page whether the service responds, because queries wait for an unresponsive
   * service.
   */
  private reportService(): void {
    const { isSignedIn, isSilent } = this.session;
    const problem = isSignedIn && isSilent ? describeSilence() : undefined;
    this.dispatcher.notify('serviceChanged', { problem });
  }

  private runAgain(): void {
    this.session.runQuery(this.last.query);
  }

  private async showSource(): Promise<void> {
    const { firstLine, lastLine } = this.last.query.file;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(this.last.uri));
    const end = document.lineAt(Math.min(lastLine, document.lineCount) - 1).range.end;
    await vscode.window.showTextDocument(document, {
      selection: new vscode.Range(new vscode.Position(firstLine - 1, 0), end),
      viewColumn: this.fileColumn() ?? this.otherColumn(),
    });
  }

  /** Returns the column in which the file is open. */
  private fileColumn(): vscode.ViewColumn | undefined {
    const { uri } = this.last;
    return vscode.window.tabGroups.all.find(({ tabs }) =>
      tabs.some(
        ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri,
      ),
    )?.viewColumn;
  }

  /** Returns a column in which the panel doesn't cover the file. */
  private otherColumn(): vscode.ViewColumn {
    const isFirst = this.panel.viewColumn === vscode.ViewColumn.One;
    return isFirst ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
  }
}
