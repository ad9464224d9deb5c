import './englishVscode';
import type { HostHandlers } from '../../../src/shared/protocol';
import {
  type HistoryEntry,
  type QueryProtocol,
  queryProtocol,
  type QueryStart,
} from '../../../src/shared/query/queryPanel';
import type { ResultStatus, ShownResult } from '../../../src/shared/query/results';
import { FakeResultHost } from './fakeResultHost';
import type { WebviewPage } from './webviewPage';

type HandlerOverrides = {
  -readonly [K in keyof HostHandlers<QueryProtocol>]?: HostHandlers<QueryProtocol>[K];
};

/** Maximum number of entries per response; the same limit as in the real host. */
const MAX_ENTRIES = 500;

/** A fake host with generated results, in English. All messages it receives are in `sent`. */
export class FakeQueryHost {
  readonly sent: (readonly [name: string, params?: unknown])[] = [];
  /** Earlier queries, newest first. */
  entries: HistoryEntry[] = [];
  savesHistory = true;
  start: Partial<QueryStart> = {};
  /** Handlers that a test overrides. */
  readonly answers: HandlerOverrides = {};
  /** Contents of the shown result. */
  readonly results = new FakeResultHost();
  /** Receives notifications; set when a page is opened. */
  page: Pick<WebviewPage<QueryProtocol>, 'notify'> = { notify: () => undefined };

  /** Shows a result and sends its status. */
  show(shown: ShownResult, status: Partial<ResultStatus> = {}): void {
    const { results, page } = this;
    results.result = shown.result;
    results.status = status;
    results.notify = (status) => page.notify('resultChanged', status);
    page.notify('resultShown', shown);
    results.notifyStatus();
  }

  /** Returns the parameters of the received messages with the given name. */
  getSent(name: keyof QueryProtocol): readonly unknown[] {
    return this.sent.filter(([one]) => one === name).map(([, params]) => params);
  }

  /** The protocol's handlers. Each records its input; a test's own handler takes precedence. */
  get handlers(): HostHandlers<QueryProtocol> {
    const noted = Object.keys(queryProtocol).map((name) => {
      const answer = (params: never, signal: never): unknown => {
        this.sent.push([name, params]);
        const known: Readonly<Record<string, unknown>> = { ...this.defaults, ...this.answers };
        const chosen = known[name] as ((params: never, signal: never) => unknown) | undefined;
        return chosen?.(params, signal);
      };
      return [name, answer] as const;
    });
    return Object.fromEntries(noted) as unknown as HostHandlers<QueryProtocol>;
  }

  private readonly defaults: HostHandlers<QueryProtocol> = {
    ...this.results.handlers,
    ready: () =>
      Promise.resolve({
        locale: 'en-US',
        panel: 'panel 1',
        organization: 'Acme',
        language: 'sql' as const,
        texts: {},
        recent: false,
        parameters: {},
        ...this.start,
      }),
    begin: () => undefined,
    runQuery: () => {
      const result = `result ${this.getSent('runQuery').length}`;
      this.show({ result });
      return Promise.resolve({ result });
    },
    completeQuery: ({ offset }) => Promise.resolve({ from: offset, options: [] }),
    hoverQuery: () => Promise.resolve({}),
    checkQuery: () => Promise.resolve({ diagnostics: [], parameters: [] }),
    signIn: () => undefined,
    startLocalFleet: () => undefined,
    pickParameter: () => Promise.resolve({}),
    pickId: () => Promise.resolve({}),
    searchHistory: ({ searchText: words, after, limit }) => {
      const terms = words.toLowerCase().split(/\s+/);
      const found = this.entries.filter(({ text }) =>
        terms.every((word) => text.toLowerCase().includes(word)),
      );
      const start = found.findIndex(({ id }) => id === after?.id) + 1;
      const entries = found.slice(start, start + Math.min(limit, MAX_ENTRIES));
      return Promise.resolve({ entries, total: found.length, isEnabled: this.savesHistory });
    },
    removeQuery: ({ id }) => {
      this.entries = this.entries.filter((entry) => entry.id !== id);
      return Promise.resolve(undefined);
    },
    clearHistory: () => {
      this.entries = [];
      return Promise.resolve({ isCleared: true });
    },
    saveQuery: () => undefined,
    openQuery: () => undefined,
  };
}
