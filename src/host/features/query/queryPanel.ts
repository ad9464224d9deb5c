import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { displayName } from '../../../core/model/displayText';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import type { Logger, Sleep } from '../../../core/ports';
import type { Spools } from '../../../core/query/results/spool';
import { webviews } from '../../../manifest/webviews';
import type { QueryText } from '../../../shared/query/editor';
import { queryProtocol, type QueryProtocol } from '../../../shared/query/queryProtocol';
import type { QueryProblem } from '../../../shared/query/results';
import { fillWebview } from '../../platform/fillWebview';
import type { FleetTools } from '../../platform/fleetTools';
import type { QueryLanguageService } from '../../platform/queryLanguage/queryLanguageService';
import { StatusPump } from '../../platform/statusPump';
import { WebviewDispatcher } from '../../platform/webviewDispatcher';
import { editorHandlers } from './editorHandlers';
import { historyHandlers } from './history/historyHandlers';
import type { QueryHistory } from './history/queryHistory';
import { panelHandlers } from './panelHandlers';
import type { PanelStart } from './panelStart';
import type { PickedFrom } from './parameters/pickedIds';
import {
  type AskedQuery,
  type AskedRun,
  QuerySession,
  type QuerySessionOptions,
} from './querySession';
import { resultHandlers } from './results/resultHandlers';
import { problemOf, statusOf } from './runStatus';
import { adviceOn, troubleOf } from './trouble';

export interface QueryPanelOptions
  extends FleetTools, Pick<QuerySessionOptions, 'runs' | 'onDidRun'> {
  readonly extensionUri: vscode.Uri;
  readonly presentError: (error: unknown) => void;
  readonly history: QueryHistory;
  readonly language: QueryLanguageService;
  readonly spools: Spools;
  /** A query of an organization is in a file from now on, which is not open yet. */
  readonly onDidSave: (uri: vscode.Uri, target: OrganizationTarget) => Promise<void>;
  /** Does what an error offers. */
  readonly act: (action: string) => void;
  /** Where ids and names are chosen from. */
  readonly pickFrom: (target: OrganizationTarget) => PickedFrom;
  readonly sleep: Sleep;
  readonly log: Logger;
}

/** Questions about the readings of an organization in a webview. */
export class QueryPanel extends Disposable {
  private readonly session: QuerySession;
  private readonly dispatcher: WebviewDispatcher<QueryProtocol>;
  private readonly changes: StatusPump<AskedRun>;
  /** The page has begun, and is not hidden. */
  private isListening = false;
  /** What the page is given when it listens. */
  private given: QueryText | undefined;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    start: PanelStart,
    private readonly options: QueryPanelOptions,
  ) {
    super();
    const { target } = start;
    const { runs, onDidRun, sessions } = options;
    const missingText = (names: readonly string[]): string =>
      vscode.l10n.t('Enter a value for {0} first.', names.join(', '));
    this.session = this.register(
      new QuerySession(target, { sessions, runs, onDidRun, missingText }),
    );
    this.changes = this.register(new StatusPump(options.sleep, (asked) => this.tellChange(asked)));
    this.dispatcher = this.register(this.dispatching(start));
    this.follow();
    panel.iconPath = new vscode.ThemeIcon('search');
    panel.title = titleOf(target);
    fillWebview(panel, options.extensionUri, webviews.query.app);
  }

  get target(): OrganizationTarget {
    return this.session.target;
  }

  get isInFront(): boolean {
    return this.panel.active;
  }

  /** Whether it asks this organization. */
  shows({ connectionId, organizationId }: OrganizationTarget): boolean {
    const { target } = this;
    return target.connectionId === connectionId && target.organizationId === organizationId;
  }

  /** Brings it to the front. */
  show(): void {
    this.panel.reveal();
  }

  /** Brings it to the front beside the text in which somebody writes. */
  showBeside(): void {
    const { panel } = this;
    const wouldHideText = panel.viewColumn === vscode.window.activeTextEditor?.viewColumn;
    panel.reveal(wouldHideText ? vscode.ViewColumn.Beside : undefined, true);
  }

  /** Puts a text into the editor, as soon as the page is there. */
  give(text: QueryText): void {
    this.given = text;
    if (this.isListening) this.tellGiven();
  }

  /** Asks a query that stands elsewhere. @returns when it has ended: why it failed, with its place. */
  async run(query: AskedQuery): Promise<QueryProblem | undefined> {
    const asked = this.session.ask(query);
    await asked.run.ended;
    return problemOf(asked, adviceOn);
  }

  private dispatching(start: PanelStart): WebviewDispatcher<QueryProtocol> {
    const { session, panel, options } = this;
    const { commands, history, language, pickFrom, presentError, log, runs, spools, act } = options;
    const { target } = start;
    const handlers = {
      ...panelHandlers({
        ...{ session, start, commands, pickFrom: pickFrom(target) },
        begun: () => this.tellAll(),
        lookAgain: () => this.tellTrouble(),
        give: (text) => this.give(text),
        saved: (uri) => options.onDidSave(uri, target),
      }),
      ...editorHandlers(language, target),
      ...historyHandlers(history, target.connectionId),
      ...resultHandlers({
        run: (result) => runs.get(result),
        spools,
        act: (action) => (action === 'retry' ? session.askAgain() : act(action)),
      }),
    };
    return new WebviewDispatcher(queryProtocol, panel.webview, handlers, presentError, log);
  }

  private follow(): void {
    const { panel, session, options } = this;
    this.register(session.onDidShow(() => this.tellResult()));
    this.register(session.onDidChange((asked) => this.changes.request(asked)));
    this.register(session.onDidChangeAccess(() => void this.tellTrouble()));
    this.register(
      session.onDidRename((name) => {
        panel.title = titleOf({ ...this.target, name });
        this.dispatcher.notify('organizationNamed', { name });
      }),
    );
    // The page checks its text again when it is told that nothing is in the way.
    this.register(
      options.language.onDidLearn((of) => {
        if (this.shows({ ...this.target, ...of })) void this.tellTrouble();
      }),
    );
    this.register(
      panel.onDidChangeViewState(() => {
        if (!panel.visible) this.isListening = false;
      }),
    );
    this.register(panel.onDidDispose(() => this.dispose()));
  }

  private tellAll(): void {
    this.isListening = true;
    void this.tellTrouble();
    this.tellGiven();
    this.tellResult();
  }

  private tellGiven(): void {
    if (this.given) this.dispatcher.notify('textGiven', this.given);
    this.given = undefined;
  }

  private tellResult(): void {
    const { current } = this.session;
    if (!current) return;
    const { run, source } = current;
    this.dispatcher.notify('resultShown', { result: run.id, source });
    this.tellChange(current);
  }

  private tellChange(asked: AskedRun): void {
    if (asked !== this.session.current) return;
    this.dispatcher.notify('resultChanged', statusOf(asked, adviceOn));
  }

  private async tellTrouble(): Promise<void> {
    const trouble = await troubleOf(this.session);
    this.dispatcher.notify('troubled', trouble);
  }
}

function titleOf({ name, organizationId }: OrganizationTarget): string {
  return vscode.l10n.t('Query: {0}', displayName({ name, id: organizationId }));
}
