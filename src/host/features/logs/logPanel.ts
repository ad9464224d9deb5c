import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { FleetError } from '../../../core/api/errors';
import type { Clock, Logger, Sleep } from '../../../core/ports';
import { settings } from '../../../manifest/contributions';
import { logsProtocol, type LogsProtocol } from '../../../shared/logs';
import type { FleetTools } from '../../platform/fleetTools';
import { resolveTarget } from '../../platform/prompts/resolveTarget';
import { onDidChangeSetting, readSetting } from '../../platform/settingsReader';
import { WebviewDispatcher } from '../../platform/webview/webviewDispatcher';
import type { PanelContent } from '../../platform/webview/webviewPanels';
import { ChangePump } from './changePump';
import { MAX_PARTS, panelTitle } from './panelParts';
import { LogSession } from './logSession';
import type { DescribedPanel } from './panelDescription';
import { panelHandlers } from './panelHandlers';
import { queryReadings } from './queryReadings';
import type { LogMessages } from '../../../core/logs/partTail';
import { formatElapsed, formatNames, formatNumber } from '../../platform/text/displayText';
import type { LogGap } from '../../../core/logs/logItem';
import { MICROS_PER_MILLISECOND } from '../../../core/model/timestamp';

/** Number of rows to send to a page that hasn't reported its number of visible rows. */
const FIRST_ROWS = 100;

export interface LogPanelOptions extends Pick<FleetTools, 'commands' | 'sessions' | 'pickTarget'> {
  readonly presentError: (error: unknown) => void;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly log: Logger;
}

/** Webview panel with the live logs of parts. It receives lines even while it is hidden. */
export class LogPanel extends Disposable implements PanelContent<DescribedPanel> {
  private readonly session: LogSession;
  private readonly dispatcher: WebviewDispatcher<LogsProtocol>;
  private followedRows = FIRST_ROWS;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    { connectionId, parts }: DescribedPanel,
    private readonly options: LogPanelOptions,
  ) {
    super();
    const { sessions, clock, sleep, log, presentError } = options;
    const limit = bufferLimit();
    this.session = this.register(
      new LogSession(connectionId, parts, {
        sessions,
        clock,
        sleep,
        log,
        limit,
        gapText: formatGap,
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
      queryReadings: (lines) => queryReadings(options, { ...lines, parts: session.shownParts }),
    });
    this.dispatcher = this.register(
      new WebviewDispatcher(logsProtocol, panel.webview, handlers, presentError, log),
    );
    this.subscribe(pump);
    this.notifyParts();
  }

  get start(): DescribedPanel {
    const { followed, parts } = this.session;
    return { connectionId: followed.connectionId, parts };
  }

  shows({ connectionId, parts }: DescribedPanel): boolean {
    const { followed } = this.session;
    return (
      followed.connectionId === connectionId &&
      followed.parts.length === parts.length &&
      parts.every(({ partId }) => followed.find(partId) !== undefined)
    );
  }

  reveal(): void {
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
    this.register(feed.onDidAbandonText(() => warnAboutSlowPattern()));
    this.register(
      panel.onDidChangeViewState(() => {
        if (!panel.visible) pump.stop();
      }),
    );
    this.register(onDidChangeSetting(settings.logsBufferLimit, () => feed.setLimit(bufferLimit())));
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

function warnAboutSlowPattern(): void {
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      "The log filter's regular expression is too slow. New lines are shown unfiltered until you change it.",
    ),
  );
}

/** Returns the localized messages that the log itself generates. */
function getLogMessages(): LogMessages {
  return {
    ended: vscode.l10n.t('The service closed the log stream.'),
    full: (limit) =>
      vscode.l10n.t(
        'The log panel is full ({0} lines). Increase "fleetwright.logs.bufferLimit" or clear the panel.',
        formatNumber(limit),
      ),
  };
}

const MIN_LINES = 1_000;
const MAX_LINES = 1_000_000;

/** Returns the maximum number of lines in a panel: the setting's value, clamped to its bounds. */
function bufferLimit(): number {
  const value = readSetting(settings.logsBufferLimit);
  const isUsable = Number.isFinite(value);
  return isUsable
    ? Math.min(Math.max(Math.round(value), MIN_LINES), MAX_LINES)
    : settings.logsBufferLimit.defaultValue;
}

/**
 * Minimum duration to display. Shorter durations are meaningless, for example when a part was
 * deleted.
 */
const MIN_SHOWN_MS = 100;

/**
 * Describes the cause and duration of a gap in the log. The row already shows the time.
 * @param labels the affected parts' labels; empty if the gap affects all parts.
 */
export function formatGap(gap: LogGap, labels: readonly string[]): string {
  const description = describeGap(gap);
  return labels.length === 0
    ? description
    : vscode.l10n.t('{0}: {1}', formatNames(labels), description);
}

function describeGap(gap: LogGap): string {
  const { endMicros } = gap;
  if (endMicros === undefined) {
    return vscode.l10n.t('Connection lost. Missed log lines load when the connection is restored.');
  }
  const milliseconds = (endMicros - gap.micros) / MICROS_PER_MILLISECOND;
  const time = formatElapsed(milliseconds);
  if (gap.reason === 'notLoaded') return describeUnloaded(gap, time);
  const cause =
    milliseconds < MIN_SHOWN_MS && gap.reason === 'break'
      ? vscode.l10n.t('Connection lost.')
      : describeCause(gap, time);
  return `${cause} ${describeOutcome(gap)}`;
}

function describeUnloaded({ state }: LogGap, time: string): string {
  switch (state) {
    case 'loading':
      return vscode.l10n.t('Loading the lines for the next {0}…', time);
    case 'failed':
      return vscode.l10n.t("Couldn't load the lines for the next {0}.", time);
    default:
      return vscode.l10n.t('The lines for the next {0} are not loaded.', time);
  }
}

function describeCause({ reason }: LogGap, time: string): string {
  return reason === 'missed'
    ? vscode.l10n.t('{0} of log lines are missing because they arrived too fast.', time)
    : vscode.l10n.t('Connection lost for {0}.', time);
}

function describeOutcome({ state, loaded }: LogGap): string {
  switch (state) {
    case 'loading':
      return vscode.l10n.t('Loading lines that were logged in the meantime…');
    case 'filled':
      return formatLoadedCount(loaded);
    case 'open':
      return vscode.l10n.t('{0} lines have been loaded, and there are more.', formatNumber(loaded));
    case 'failed':
      return vscode.l10n.t("Couldn't load the lines that were logged in the meantime.");
  }
}

function formatLoadedCount(loaded: number): string {
  if (loaded === 0) return vscode.l10n.t('No lines were logged in the meantime.');
  return loaded === 1
    ? vscode.l10n.t('1 missed line was loaded.')
    : vscode.l10n.t('{0} missed lines were loaded.', formatNumber(loaded));
}
