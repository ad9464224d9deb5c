import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { displayName } from '../../../core/model/displayText';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import type { Logger, Sleep } from '../../../core/ports';
import type { SpoolFactory } from '../../../core/query/results/rowStore';
import type { editorMessages, QueryText } from '../../../shared/query/editor';
import {
  type queryPanelMessages,
  queryProtocol,
  type QueryProtocol,
} from '../../../shared/query/queryPanel';
import type { ResultStatus } from '../../../shared/query/results';
import type { FleetTools } from '../../platform/fleetTools';
import type { QueryLanguageService } from '../../platform/queryLanguage/queryLanguageService';
import { WebviewDispatcher } from '../../platform/webview/webviewDispatcher';
import type { PanelContent } from '../../platform/webview/webviewPanels';
import type { QueryHistory } from './queryHistory';
import type { PanelStart } from './panelStart';
import { type PickedFrom, pickId, pickParameter } from './promptForParameters';
import { QuerySession, type QuerySessionOptions, type RequestedRun } from './querySession';
import { resultHandlers } from './results/resultHandlers';
import { describeOrigin, ResultReporter } from './results/resultReporter';
import { adviceOn, describeMissingValues, getErrorState } from './resultProblem';
import type { HostHandlers } from '../../../shared/protocol';
import type { Commands } from '../../platform/commands/commandRegistry';
import { createRecoveryHandlers } from '../../platform/webview/recoveryActions';
import { describeOrganization } from '../../platform/targetOrganization';
import { openQuery, saveQuery } from './savedQueries';
import { isCanceled } from '../../../core/api/errors';
import type { ConnectionId } from '../../../core/model/ids';
import { settings } from '../../../manifest/contributions';
import { confirm } from '../../platform/prompts/prompts';
import { readSetting } from '../../platform/settingsReader';

export interface QueryPanelOptions
  extends FleetTools, Pick<QuerySessionOptions, 'runs' | 'onDidRun' | 'clock'> {
  readonly presentError: (error: unknown) => void;
  readonly history: QueryHistory;
  readonly language: QueryLanguageService;
  readonly spools: SpoolFactory;
  /** Called when an organization's query has been saved to a file that is not open yet. */
  readonly onDidSave: (uri: vscode.Uri, target: OrganizationTarget) => Promise<void>;
  /** Runs an error's recovery action. */
  readonly act: (action: string) => void;
  /** Returns the sources from which IDs and names are selected. */
  readonly pickFrom: (target: OrganizationTarget) => PickedFrom;
  readonly sleep: Sleep;
  readonly log: Logger;
}

/** Webview panel with queries over an organization's readings. */
export class QueryPanel extends Disposable implements PanelContent<PanelStart> {
  private readonly session: QuerySession;
  private readonly dispatcher: WebviewDispatcher<QueryProtocol>;
  private readonly results: ResultReporter;
  /** True if the page has loaded and is not hidden. */
  private isListening = false;
  /** Text to send when the page can receive messages. */
  private pendingQuery: QueryText | undefined;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    readonly start: PanelStart,
    private readonly options: QueryPanelOptions,
  ) {
    super();
    const { target } = start;
    const { runs, onDidRun, sessions, clock } = options;
    const missingText = describeMissingValues;
    this.session = this.register(
      new QuerySession(target, { sessions, runs, onDidRun, clock, missingText }),
    );
    this.dispatcher = this.register(this.dispatching());
    const page = {
      resultShown: (requestedRun: RequestedRun): void =>
        this.dispatcher.notify('resultShown', {
          result: requestedRun.run.id,
          origin: describeOrigin(requestedRun, target.name),
        }),
      resultChanged: (status: ResultStatus): void =>
        this.dispatcher.notify('resultChanged', status),
    };
    const { sleep } = options;
    this.results = this.register(new ResultReporter(this.session, page, { sleep, adviceOn }));
    this.subscribe();
    panel.title = formatTitle(target);
  }

  get target(): OrganizationTarget {
    return this.session.target;
  }

  shows({ target: { connectionId, organizationId } }: Pick<PanelStart, 'target'>): boolean {
    const { target } = this;
    return target.connectionId === connectionId && target.organizationId === organizationId;
  }

  reveal(): void {
    this.panel.reveal();
  }

  /** Inserts text into the editor as soon as the page has loaded. */
  insertQuery(text: QueryText): void {
    this.pendingQuery = text;
    if (this.isListening) this.notifyPendingQuery();
  }

  private dispatching(): WebviewDispatcher<QueryProtocol> {
    const { session, panel, start, options } = this;
    const { commands, history, language, pickFrom, presentError, log, runs, spools, act } = options;
    const { target } = start;
    const handlers = {
      ...panelHandlers({
        session,
        start,
        commands,
        pickFrom: pickFrom(target),
        begun: () => this.notifyAll(),
        recheck: () => this.notifyProblem(),
        insertQuery: (text) => this.insertQuery(text),
        saved: (uri) => options.onDidSave(uri, target),
      }),
      ...editorHandlers(language, target),
      ...historyHandlers(history, target.connectionId),
      ...resultHandlers({
        run: (result) => runs.get(result),
        spools,
        act: (action) => (action === 'retry' ? session.runAgain() : act(action)),
      }),
    };
    return new WebviewDispatcher(queryProtocol, panel.webview, handlers, presentError, log);
  }

  private subscribe(): void {
    const { panel, session, options } = this;
    this.register(session.onDidChangeAccess(() => void this.notifyProblem()));
    this.register(
      session.onDidRename((name) => {
        panel.title = formatTitle({ ...this.target, name });
        this.dispatcher.notify('organizationNamed', { name });
      }),
    );
    // The page rechecks its text when it is notified that there is no problem.
    this.register(
      options.language.onDidLearn((of) => {
        if (this.shows({ target: { ...this.target, ...of } })) void this.notifyProblem();
      }),
    );
    this.register(
      panel.onDidChangeViewState(() => {
        if (!panel.visible) this.isListening = false;
      }),
    );
  }

  private notifyAll(): void {
    this.isListening = true;
    void this.notifyProblem();
    this.notifyPendingQuery();
    this.results.report();
  }

  private notifyPendingQuery(): void {
    if (this.pendingQuery) this.dispatcher.notify('queryInserted', this.pendingQuery);
    this.pendingQuery = undefined;
  }

  private async notifyProblem(): Promise<void> {
    const problem = await getErrorState(this.session);
    this.dispatcher.notify('problemChanged', problem);
  }
}

function formatTitle({ name, organizationId }: OrganizationTarget): string {
  return vscode.l10n.t('Query: {0}', displayName({ name, id: organizationId }));
}

/** Returns the handlers for editor messages about an organization's readings. */
function editorHandlers(
  language: Pick<QueryLanguageService, 'complete' | 'check' | 'hover'>,
  target: OrganizationTarget,
): HostHandlers<typeof editorMessages> {
  return {
    completeQuery: (query) => language.complete(query, target),
    hoverQuery: async ({ offset, ...query }) => ({
      hover: await language.hover(query, offset, target),
    }),
    checkQuery: (query) => language.check(query, target),
  };
}

interface PanelPage {
  readonly session: QuerySession;
  readonly start: PanelStart;
  readonly commands: Pick<Commands, 'execute'>;
  readonly pickFrom: PickedFrom;
  /** Called when the page is loaded and can receive messages. */
  readonly begun: () => void;
  /** Checks again whether queries can be run. */
  readonly recheck: () => unknown;
  /** Inserts text into the editor. */
  readonly insertQuery: (text: QueryText) => void;
  /** Called when the text has been saved to a file. */
  readonly saved: (uri: vscode.Uri) => Promise<void>;
}

type PanelHandlers = Omit<
  HostHandlers<typeof queryPanelMessages>,
  'searchHistory' | 'removeQuery' | 'clearHistory'
>;

/** Returns the handlers for messages from the panel as a whole. */
function panelHandlers(page: PanelPage): PanelHandlers {
  const { session, start, commands, pickFrom } = page;
  const { target, language, texts, recent, parameters } = start;
  return {
    ready: () =>
      Promise.resolve({
        locale: vscode.env.language,
        panel: describeOrganization(target),
        organization: target.name,
        language,
        texts,
        recent,
        parameters,
      }),
    begin: () => page.begun(),
    runQuery: (query) => Promise.resolve({ result: session.runQuery(query).run.id }),
    ...createRecoveryHandlers(commands, page.recheck),
    pickParameter: async ({ name }) => ({ value: await pickParameter(pickFrom, name) }),
    pickId: async () => ({ value: await pickId(pickFrom) }),
    saveQuery: (text) => saveQuery(text, page.saved),
    openQuery: async () => {
      const text = await openQuery();
      if (text) page.insertQuery(text);
    },
  };
}

type HistoryHandlers = Pick<
  HostHandlers<QueryProtocol>,
  'searchHistory' | 'removeQuery' | 'clearHistory'
>;

/** Maximum number of entries per request; a page never shows more. */
const MAX_ENTRIES = 500;

/** Returns the handlers for a connection's history messages. */
function historyHandlers(history: QueryHistory, connection: ConnectionId): HistoryHandlers {
  return {
    searchHistory: async ({ searchText: words, after, limit }) => ({
      ...(await history.search(connection, words, { after, limit: Math.min(limit, MAX_ENTRIES) })),
      isEnabled: readSetting(settings.queryHistory),
    }),
    removeQuery: async ({ id }) => {
      await history.remove(connection, id);
      return undefined;
    },
    clearHistory: async () => ({ isCleared: await confirmAndClear(history, connection) }),
  };
}

/**
 * Deletes a connection's history after the user confirms.
 * @returns true if it was deleted
 */
async function confirmAndClear(history: QueryHistory, connection: ConnectionId): Promise<boolean> {
  const { total } = await history.search(connection, '', { limit: 0 });
  if (total === 0) return false;
  const question =
    total === 1
      ? vscode.l10n.t("Clear the only query from this connection's history?")
      : vscode.l10n.t("Clear all {0} queries from this connection's history?", total);
  try {
    await confirm(
      question,
      vscode.l10n.t('Queries saved as files are not deleted.'),
      vscode.l10n.t('Clear All'),
    );
  } catch (error) {
    if (isCanceled(error)) return false;
    throw error;
  }
  await history.clear(connection);
  return true;
}
