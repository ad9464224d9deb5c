import './englishVscode';
import {
  everyLine,
  type LogChange,
  type LogPart,
  type LogRow,
  type LogRows,
  type LogsProtocol,
} from '../../../src/shared/logs';
import type { HostHandlers } from '../../../src/shared/protocol';

export const noon = Date.UTC(2026, 10, 21, 12);

const levels = ['info', 'debug', 'warn', 'error', 'other'] as const;
const labels = { info: 'info', debug: 'debug', warn: 'warn', error: 'error', other: 'NOTICE' };

/** Returns the row with the given number in a long log, which has one line per second. */
export function numberedRow(number: number): LogRow {
  const level = levels[((number % 5) + 5) % 5] ?? 'info';
  return {
    kind: 'line',
    key: number,
    part: number % 2 === 0 ? 'a' : 'b',
    at: noon + number * 1_000,
    level,
    levelText: labels[level],
    logger: 'rdk.motor',
    text: `line ${number} <b>of many</b>`,
    found: [],
  };
}

/** Returns a row for a gap whose lines can be loaded. */
export function gapRow(text: string): LogRow {
  return { kind: 'gap', key: -3, at: noon, text, canLoad: true, loading: false };
}

export const liveParts: readonly LogPart[] = [
  { key: 'a', label: 'rover-07', state: 'live', detail: 'Live.' },
  { key: 'b', label: 'rover-08 › arm', state: 'live', detail: 'Live.' },
];

/** A fake host with generated lines. The index of a line is its number until lines are moved. */
export class FakeLogHost {
  readonly sent: (readonly [name: string, params?: unknown])[] = [];
  readonly drawn: number[] = [];
  filter = everyLine;
  rows = new Map<number, LogRow>();
  first = 0;
  end = 0;
  followed = 0;
  paused = false;
  waiting = 0;
  dropped = 0;
  missed = 0;
  hasOlder = false;
  /** Error to return for the filters that are set next. */
  problem: string | undefined;
  locale = 'en-US';
  /** Delays the responses to filter requests until it resolves. */
  filtering: Promise<unknown> = Promise.resolve();
  jumpTo: number | undefined;
  /** Delays the responses to jumps until it resolves. */
  jumping: Promise<unknown> = Promise.resolve();
  /** Error to return for the requests to jump or to load lines. */
  failure: Error | undefined;
  notify: (change: LogChange) => void = () => undefined;
  revision = 0;

  rowAt(index: number): LogRow {
    return this.rows.get(index) ?? numberedRow(index);
  }

  slice(start: number, end: number): LogRows {
    const from = Math.max(start, this.first);
    const to = Math.min(end, this.end);
    const length = Math.max(0, to - from);
    return { start: from, rows: Array.from({ length }, (_, index) => this.rowAt(from + index)) };
  }

  /** Sends a change to the lines to the page. */
  notifyChange(change: Partial<LogChange> = {}): void {
    const { first, end, followed, paused, waiting, dropped, missed } = this;
    this.revision += 1;
    this.notify({
      revision: this.revision,
      first,
      end,
      moves: [],
      reset: false,
      newest: followed > 0 ? this.slice(end - followed, end) : undefined,
      counts: { buffered: end - first, limit: 1_000_000, dropped, missed, waiting },
      paused,
      filtering: false,
      loadingOlder: false,
      hasOlder: this.hasOlder,
      ...change,
    });
  }

  readonly handlers: HostHandlers<LogsProtocol> = {
    ready: ({ filter, order }) => {
      this.sent.push(['ready', filter]);
      if (order !== undefined) this.sent.push(['ready order', order]);
      if (filter) this.filter = filter;
      return Promise.resolve({
        locale: this.locale,
        panel: 'panel 1',
        filter: this.filter,
      });
    },
    rows: ({ start, end }) => Promise.resolve(this.slice(start, end)),
    setFilter: async (filter) => {
      this.sent.push(['setFilter', filter]);
      await this.filtering;
      return { problem: this.problem };
    },
    setOrder: ({ order }) => {
      this.sent.push(['setOrder', order]);
      this.notifyChange({ reset: true });
    },
    details: ({ key }) =>
      Promise.resolve({
        message: `line ${key}\nin full`,
        entries: [
          { name: 'payload', value: '{\n  "rpm": 42\n}' },
          { name: '<i>name</i>', value: '<img src=x onerror=alert(1)>' },
        ],
      }),
    loadOlder: () => this.respond('loadOlder'),
    loadGap: (params) => this.respond('loadGap', params),
    jump: async (params) => {
      const { jumpTo } = this;
      this.sent.push(['jump', params]);
      await this.jumping;
      if (this.failure) throw this.failure;
      return { index: jumpTo };
    },
    drawn: ({ revision }) => this.drawn.push(revision),
    follow: ({ rows }) => (this.followed = rows),
    pause: ({ paused }) => {
      this.paused = paused;
      this.notifyChange();
    },
    clear: () => this.sent.push(['clear']),
    copy: (params) => this.sent.push(['copy', params]),
    queryReadings: (params) => this.sent.push(['queryReadings', params]),
    exportLines: () => this.sent.push(['exportLines']),
    openDocument: () => this.sent.push(['openDocument']),
    addParts: () => this.sent.push(['addParts']),
    removePart: (params) => this.sent.push(['removePart', params]),
    reconnect: (params) => this.sent.push(['reconnect', params]),
    signIn: () => this.sent.push(['signIn']),
    startLocalFleet: () => this.sent.push(['startLocalFleet']),
    changeLimit: () => this.sent.push(['changeLimit']),
  };

  private respond(name: string, params?: unknown): Promise<undefined> {
    this.sent.push([name, params]);
    return this.failure ? Promise.reject(this.failure) : Promise.resolve(undefined);
  }
}
