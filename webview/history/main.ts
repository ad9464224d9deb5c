import '../messaging/loadTranslations';
import {
  type HistoryPanelState,
  historyProtocol,
  type HistoryProtocol,
  type HistorySnapshot,
  isHistoryPanelState,
} from '../../src/shared/history';
import { HostConnection, toErrorState, type VsCodeApi } from '../messaging/hostConnection';
import { defineElements } from '../ui/designSystem';
import '../ui/theme.css';
import './history.css';
import type { ErrorState } from '../ui/createErrorBox';
import { HistoryView } from './historyView';
import { timeTextFor } from './historyTable';

interface Selection {
  readonly selected: readonly string[];
  readonly onSelect: (selected: readonly string[]) => void;
}

/** Sends requests to the host and shows its responses. */
class HistoryApp {
  private readonly view: HistoryView;
  private abortController: AbortController | undefined;

  constructor(
    private readonly host: HostConnection<HistoryProtocol>,
    root: HTMLElement,
    locale: string,
    { selected, onSelect }: Selection,
  ) {
    const actions = {
      load: () => this.load(),
      loadMore: () => this.loadMore(),
      compare: (older: string, newer: string) => host.send('compare', { older, newer }),
      compareWithCurrent: (key: string) => host.send('compareWithCurrent', { key }),
      restore: (key: string) => host.send('restore', { key }),
      selectionChanged: onSelect,
      signIn: () => host.send('signIn', undefined),
      startLocalFleet: () => host.send('startLocalFleet', undefined),
    };
    this.view = new HistoryView(root, timeTextFor(locale), actions, selected);
    this.view.show({ kind: 'loading' });
  }

  /** Loads the history, starting with the newest revision. */
  load(): void {
    this.view.show({ kind: 'loading' });
    void this.request(
      (signal) => this.host.request('load', undefined, signal),
      (errorState) => this.view.show({ kind: 'failed', errorState }),
    );
  }

  private loadMore(): void {
    this.view.show({ kind: 'ready', loadingMore: true });
    void this.request(
      (signal) => this.host.request('loadMore', undefined, signal),
      (errorState) => this.view.show({ kind: 'ready', loadingMore: false, errorState }),
    );
  }

  /** A newer request makes the response to an older one obsolete. */
  private async request(
    question: (signal: AbortSignal) => Promise<HistorySnapshot>,
    onFailure: (errorState: ErrorState) => void,
  ): Promise<void> {
    this.abortController?.abort();
    const controller = new AbortController();
    this.abortController = controller;
    try {
      const snapshot = await question(controller.signal);
      this.view.show({ kind: 'ready', loadingMore: false }, snapshot);
    } catch (error) {
      if (!controller.signal.aborted) onFailure(toErrorState(error));
    }
  }
}

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
  const { locale, document: key } = await host.request('ready', undefined);
  document.documentElement.lang = locale;
  app.current = new HistoryApp(host, root, locale, {
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
