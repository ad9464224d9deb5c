import type { HistoryProtocol, HistorySnapshot, HistoryStrings } from '../../src/shared/history';
import type { HostConnection } from '../messaging/hostConnection';
import { toErrorState } from '../messaging/toErrorState';
import type { ErrorState } from '../ui/createErrorBox';
import { HistoryView } from './historyView';
import { timeTextFor } from './timeFormatter';

interface Selection {
  readonly selected: readonly string[];
  readonly onSelect: (selected: readonly string[]) => void;
}

/** Sends requests to the host and shows its responses. */
export class HistoryApp {
  private readonly view: HistoryView;
  private abortController: AbortController | undefined;

  constructor(
    private readonly host: HostConnection<HistoryProtocol>,
    root: HTMLElement,
    strings: HistoryStrings,
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
    this.view = new HistoryView(root, strings, timeTextFor(locale), actions, selected);
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
