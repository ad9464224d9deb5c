import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import type { FilterProblem } from '../../../core/logs/logItem';
import { partId } from '../../../core/model/ids';
import { settings } from '../../../manifest/contributions';
import type { LogsProtocol } from '../../../shared/logs';
import type { HostHandlers } from '../../../shared/protocol';
import type { Commands } from '../../platform/commands/commandRegistry';
import { createRecoveryHandlers } from '../../platform/webview/recoveryActions';
import type { ChangePump } from './changePump';
import { exportName } from './lineChunks';
import { copyLines, exportLines, openLines, type PanelLines } from './exportLines';
import { logDetails } from './logDetails';
import type { LogSession } from './logSession';
import type { LoggedLines } from './queryReadings';

/** Maximum number of rows per request, more than any screen shows. */
const MAX_ROWS = 2_000;

export interface PanelContext {
  readonly session: LogSession;
  readonly pump: ChangePump;
  /** Sets the number of newest rows to send with each change. */
  readonly follow: (rows: number) => void;
  readonly addParts: () => Promise<void>;
  readonly commands: Pick<Commands, 'execute'>;
  readonly queryReadings: (lines: Omit<LoggedLines, 'parts'>) => Promise<void>;
}

/** Returns the handlers for messages from a log panel. */
export function panelHandlers(context: PanelContext): HostHandlers<LogsProtocol> {
  const { session, pump, follow, addParts, commands } = context;
  const { feed, filter } = session;
  const lines = (): PanelLines => getPanelLines(context);
  return {
    ready: async ({ filter: savedFilter, order = 'time' }) => {
      feed.setOrder(order);
      if (savedFilter) await filter.restore(savedFilter);
      pump.start();
      return {
        locale: vscode.env.language,
        panel: session.description,
        filter: filter.current,
      };
    },
    rows: ({ start, end }) => {
      pump.flush();
      return Promise.resolve(session.rows(start, Math.min(end, start + MAX_ROWS)));
    },
    setFilter: async (requested) => {
      const problem = await filter.apply(requested);
      return problem ? { problem: formatFilterProblem(problem) } : {};
    },
    setOrder: ({ order }) => feed.setOrder(order),
    details: ({ key }) => Promise.resolve(getDetails(session, key)),
    loadOlder: async (_, signal) => {
      await feed.loadOlder(signal);
      return undefined;
    },
    loadGap: async ({ key }, signal) => {
      await feed.loadGap(key, signal);
      return undefined;
    },
    jump: async ({ at }, signal) => {
      const index = await feed.jump(new Date(at), signal);
      pump.flush();
      return index === undefined ? {} : { index };
    },
    drawn: ({ revision }) => pump.drawn(revision),
    follow: ({ rows }) => follow(Math.min(Math.max(Math.floor(rows), 0), MAX_ROWS)),
    pause: ({ paused }) => feed.setPaused(paused),
    clear: () => feed.clear(),
    copy: (range) => copyLines(lines(), range),
    exportLines: () => exportLines(lines()),
    openDocument: () => openLines(lines()),
    queryReadings: (range) => context.queryReadings({ items: session.shown(), range }),
    addParts,
    removePart: ({ part }) => session.remove(partId(part)),
    reconnect: ({ part }) => feed.reconnect(partId(part)),
    ...createRecoveryHandlers(commands, () => feed.parts.forEach(({ id }) => feed.reconnect(id))),
    changeLimit: () =>
      vscode.commands.executeCommand('workbench.action.openSettings', settings.logsBufferLimit.key),
  };
}

function getPanelLines({ session }: PanelContext): PanelLines {
  return { items: session.shown(), labels: session.lineLabels, name: exportName(session.names) };
}

function getDetails({ feed }: LogSession, key: number): ReturnType<typeof logDetails> {
  const line = feed.find(key);
  if (line?.kind !== 'line') {
    const message = vscode.l10n.t('This line is no longer in memory.');
    throw new FleetError('notFound', message);
  }
  return logDetails(line, {
    logger: vscode.l10n.t('Logger'),
    caller: vscode.l10n.t('Caller'),
    stack: vscode.l10n.t('Stack'),
    host: vscode.l10n.t('Host'),
    time: vscode.l10n.t('Time'),
    received: vscode.l10n.t('Received'),
  });
}

/**
 * Removes the expression from V8's message, which starts with "invalid", because the expression is
 * displayed above the message.
 */
function withoutSource(reason: string): string {
  return reason.slice(reason.lastIndexOf(': ') + 1).trim();
}

function formatFilterProblem(problem: FilterProblem): string {
  switch (problem.kind) {
    case 'invalid':
      return vscode.l10n.t(
        'This is not a valid regular expression: {0}.',
        withoutSource(problem.reason),
      );
    case 'tooSlow':
      return vscode.l10n.t('This regular expression is too slow. Use a simpler one.');
  }
}
