import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { FleetError } from '../../../core/api/errors';
import type { Clock, Logger, Sleep } from '../../../core/ports';
import { settings } from '../../../manifest/settings';
import { webviews } from '../../../manifest/webviews';
import { logsProtocol, type LogsProtocol } from '../../../shared/logs';
import { fillWebview } from '../../platform/fillWebview';
import type { FleetTools } from '../../platform/fleetTools';
import { resolveTarget } from '../../platform/resolveTarget';
import { onDidChangeSetting } from '../../platform/settingsReader';
import { WebviewDispatcher } from '../../platform/webviewDispatcher';
import { bufferLimit } from './bufferLimit';
import { ChangePump } from './changePump';
import { MAX_PARTS } from './chosenParts';
import { formatGap } from './formatGap';
import { LogSession } from './logSession';
import { getLogMessages } from './getLogMessages';
import type { DescribedPanel } from './panelDescription';
import { panelHandlers } from './panelHandlers';
import { panelTitle } from './panelTitle';
import { queryReadings } from './queryReadings';

/** Number of rows to send to a page that hasn't reported its number of visible rows. */
const FIRST_ROWS = 100;

export interface LogPanelOptions extends Pick<FleetTools, 'commands' | 'sessions' | 'pickTarget'> {
  readonly extensionUri: vscode.Uri;
  readonly presentError: (error: unknown) => void;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly log: Logger;
}

/** Webview panel with the live logs of parts. It receives lines even while it is hidden. */
export class LogPanel extends Disposable {
  private readonly session: LogSession;
  private readonly dispatcher: WebviewDispatcher<LogsProtocol>;
  private followedRows = FIRST_ROWS;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    { connectionId, parts }: DescribedPanel,
    private readonly options: LogPanelOptions,
  ) {
    super();
    const { sessions, clock, sleep, log, presentError, extensionUri } = options;
    const limit = bufferLimit();
    this.session = this.register(
      new LogSession(connectionId, parts, {
        ...{ sessions, clock, sleep, log, limit, gapText: formatGap },
        logMessages: getLogMessages(),
      }),
    );
    const { session } = this;
    const pump = this.register(
      new ChangePump({
        sleep,
        take: (reset) => {
          if (reset) this.notifyParts();
          return session.takeChange(reset, this.followedRows);
        },
        send: (change) => this.dispatcher.notify('changed', change),
      }),
    );
    const handlers = panelHandlers({
      session,
      pump,
      follow: (rows) => (this.followedRows = rows),
      addParts: () => this.addParts(),
      commands: options.commands,
      queryReadings: (lines) => queryReadings(options, { ...lines, parts: session.parts }),
    });
    this.dispatcher = this.register(
      new WebviewDispatcher(logsProtocol, panel.webview, handlers, presentError, log),
    );
    this.subscribe(pump);
    panel.iconPath = new vscode.ThemeIcon('output');
    this.notifyParts();
    fillWebview(panel, extensionUri, webviews.logs.app);
  }

  /** Returns true if the panel shows exactly these parts. */
  shows({ connectionId, parts }: DescribedPanel): boolean {
    const { followed } = this.session;
    return (
      followed.connectionId === connectionId &&
      followed.parts.length === parts.length &&
      parts.every(({ partId }) => followed.find(partId) !== undefined)
    );
  }

  show(): void {
    this.panel.reveal();
  }

  private subscribe(pump: ChangePump): void {
    const { panel, session } = this;
    const { feed, followed } = session;
    this.register(
      feed.onDidChange(() => {
        if (panel.visible) pump.request();
      }),
    );
    this.register(feed.onDidChangeParts(() => this.notifyParts()));
    this.register(followed.onDidChange(() => this.notifyParts()));
    this.register(
      this.options.sessions.onDidChangeSilence((id) => {
        if (id === followed.connectionId) this.notifyParts();
      }),
    );
    this.register(feed.onDidGiveUpText(() => warnOfSlowPattern()));
    this.register(
      panel.onDidChangeViewState(() => {
        if (!panel.visible) pump.stop();
      }),
    );
    this.register(onDidChangeSetting(settings.logsBufferLimit, () => feed.setLimit(bufferLimit())));
    this.register(panel.onDidDispose(() => this.dispose()));
  }

  private notifyParts(): void {
    const { panel, session } = this;
    panel.title = panelTitle(session.names);
    if (!panel.visible) return;
    const labels = {
      connecting: vscode.l10n.t('Connecting…'),
      live: vscode.l10n.t('New lines appear as they arrive.'),
      silent: vscode.l10n.t(
        "The service isn't responding. New lines appear when it responds again.",
      ),
    };
    const parts = session.states(labels);
    this.dispatcher.notify('partsChanged', { parts, panel: session.description });
  }

  private async addParts(): Promise<void> {
    const { session, options } = this;
    if (session.parts.length >= MAX_PARTS) {
      const message = vscode.l10n.t('A log panel shows at most {0} parts.', MAX_PARTS);
      throw new FleetError('invalid', message);
    }
    const picked = await options.pickTarget('part', session.followed.connectionId);
    const { target } = await resolveTarget(options, 'part', picked, 'readLogs');
    session.add([target]);
  }
}

function warnOfSlowPattern(): void {
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      "The log filter's regular expression is too slow. New lines are shown unfiltered until you change it.",
    ),
  );
}
