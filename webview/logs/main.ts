import '../messaging/loadTranslations';
import { isLogPanelState, type LogPanelState, logsProtocol } from '../../src/shared/logs';
import { HostConnection, type VsCodeApi } from '../messaging/hostConnection';
import { defineElements } from '../ui/designSystem';
import { LogsApp } from './logsApp';
import '../ui/theme.css';
import '../ui/controls.css';
import '../ui/panel.css';
import '../ui/virtualRows.css';
import './logs.css';
import './logRows.css';
import './logColors.css';
import './logMarks.css';

declare const acquireVsCodeApi: () => VsCodeApi;

async function main(root: HTMLElement): Promise<void> {
  defineElements();
  const vscode = acquireVsCodeApi();
  const app: { current?: LogsApp; state?: LogPanelState } = {};
  const saveState = (change: Partial<LogPanelState>): void => {
    if (!app.state) return;
    app.state = { ...app.state, ...change };
    vscode.setState(app.state);
  };
  const host = new HostConnection(logsProtocol, vscode, {
    partsChanged: ({ parts, panel }) => {
      saveState({ panel });
      app.current?.setParts(parts);
    },
    changed: (change) => app.current?.change(change),
  });
  host.listen();
  // State that an earlier instance of this panel saved.
  const state = vscode.getState();
  const saved = isLogPanelState(state) ? state : undefined;
  const start = await host.request('ready', { filter: saved?.filter, order: saved?.order });
  const { locale, panel, filter } = start;
  document.documentElement.lang = locale;
  const utc = saved?.utc ?? false;
  const order = saved?.order ?? 'time';
  app.state = { panel, filter, utc, order };
  saveState({});
  app.current = new LogsApp(host, root, { locale, filter, utc, order, saveState });
}

const root = document.getElementById('app');
if (root) void main(root);
