import {
  historyProtocol,
  type HistoryPanelState,
  isHistoryPanelState,
} from '../../src/shared/history';
import { HostConnection, type VsCodeApi } from '../messaging/hostConnection';
import { defineElements } from '../ui/designSystem';
import { HistoryApp } from './historyApp';
import '../ui/theme.css';
import './history.css';

declare const acquireVsCodeApi: () => VsCodeApi;

/** Returns the selection that an earlier instance of this panel saved. */
function getSavedSelection(state: unknown): readonly string[] {
  return isHistoryPanelState(state) ? state.selected : [];
}

async function main(root: HTMLElement): Promise<void> {
  defineElements();
  const vscode = acquireVsCodeApi();
  const app: { current?: HistoryApp } = {};
  const host = new HostConnection(historyProtocol, vscode, {
    changed: () => app.current?.load(),
  });
  host.listen();
  const { strings, locale, document: key } = await host.request('ready', undefined);
  document.documentElement.lang = locale;
  app.current = new HistoryApp(host, root, strings, locale, {
    selected: getSavedSelection(vscode.getState()),
    onSelect: (selected) => {
      const state: HistoryPanelState = { document: key, selected };
      vscode.setState(state);
    },
  });
  vscode.setState({ document: key, selected: getSavedSelection(vscode.getState()) });
  app.current.load();
}

const root = document.getElementById('app');
if (root) void main(root);
