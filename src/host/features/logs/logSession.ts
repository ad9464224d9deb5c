import { Disposable } from '../../../base/disposable';
import { LogFeed } from '../../../core/logs/logFeed';
import type { LogGap, LogItem } from '../../../core/logs/logItem';
import type { LogWords } from '../../../core/logs/logWords';
import type { ConnectionId, PartId } from '../../../core/model/ids';
import type { PartTarget } from '../../../core/model/resourceTarget';
import type { Clock, Logger, Sleep } from '../../../core/ports';
import type { LogChange, LogPart, LogRows } from '../../../shared/logs';
import type { SessionProvider } from '../../platform/sessionProvider';
import { FollowedParts } from './followedParts';
import type { LineWords } from './lineText';
import { logRows } from './logRowView';
import { describePanel } from './panelDescription';
import { PanelFilter } from './panelFilter';
import { partLabels } from './partLabels';
import { partStates, type StateWords } from './partStates';
import { patternMatcher } from './patternMatcher';
import { runnerWithin } from './runWithin';

/** What a regular expression may take for the lines of one look; a sound one takes a hundredth. */
const PATTERN_LIMIT_MS = 1_000;
/** The same for the rows of a screen. */
const PLACES_LIMIT_MS = 100;

export interface LogSessionOptions {
  readonly sessions: SessionProvider;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly log: Logger;
  /** How many lines are kept in memory at most. */
  readonly limit: number;
  /** What happened at a gap. @param labels of its parts, when it is not of all. */
  readonly gapText: (gap: LogGap, labels: readonly string[]) => string;
  readonly logWords: LogWords;
}

/** What a log panel shows, whether its page is there or not: parts with their names, lines, a filter. */
export class LogSession extends Disposable {
  readonly followed: FollowedParts;
  readonly feed: LogFeed;
  readonly filter: PanelFilter;
  private labels: ReadonlyMap<PartId, string>;

  constructor(
    connectionId: ConnectionId,
    parts: readonly PartTarget[],
    private readonly options: LogSessionOptions,
  ) {
    super();
    const { sessions, clock, sleep, limit, log, logWords } = options;
    this.followed = this.register(new FollowedParts(sessions, connectionId, parts));
    this.labels = partLabels(parts);
    this.feed = this.register(
      new LogFeed({
        ...{ clock, sleep, limit, logger: log, words: logWords },
        source: () => sessions.stores(connectionId).logs,
        random: Math.random,
        matchPattern: patternMatcher(runnerWithin(PATTERN_LIMIT_MS)),
        giveWay: () => new Promise((resolve) => setImmediate(resolve)),
      }),
    );
    this.filter = new PanelFilter(this.feed, runnerWithin(PLACES_LIMIT_MS));
    this.register(this.followed.onDidChange(() => (this.labels = partLabels(this.parts))));
    this.register(
      this.followed.onDidDisturb((ids) => {
        for (const id of ids) this.feed.reconnect(id);
      }),
    );
    this.feed.add(parts.map(({ partId }) => partId));
  }

  get parts(): readonly PartTarget[] {
    return this.followed.parts;
  }

  /** How each part is called, in their order. */
  get names(): readonly string[] {
    return this.parts.map(({ partId }) => this.labelOf(partId));
  }

  /** What brings the same parts back. */
  get description(): string {
    return describePanel(this.followed.connectionId, this.parts);
  }

  /** How it goes with each part, in their order. */
  states(words: StateWords): readonly LogPart[] {
    const { feed, labels, followed, options } = this;
    const isSilent = options.sessions.isSilent(followed.connectionId);
    return partStates(feed.parts, labels, words, isSilent);
  }

  /** How lines become text. */
  readonly words: LineWords = {
    part: ({ part }) => this.followed.find(part),
    label: ({ part }) => this.labelOf(part),
    gap: (gap) => this.gapText(gap),
  };

  add(parts: readonly PartTarget[]): void {
    this.followed.add(parts);
    this.feed.add(parts.map(({ partId }) => partId));
  }

  remove(id: PartId): void {
    this.feed.remove(id);
    this.followed.remove(id);
  }

  /** All that passes the filter, oldest first. */
  shown(): readonly LogItem[] {
    return this.feed.shown();
  }

  /** Rows by their places, as far as they are there. */
  rows(start: number, end: number): LogRows {
    const found = this.feed.rows(start, end);
    const rows = logRows(found.items, this.filter.findPlaces, (gap) => this.gapText(gap));
    return { start: found.start, rows };
  }

  /** What has changed since the last call, with the newest rows. @param reset whatever has changed. */
  takeChange(reset: boolean, newestRows: number): Omit<LogChange, 'revision'> {
    const { feed } = this;
    const { first, end, moves, reset: areOthers } = feed.takeChanges();
    return {
      first,
      end,
      moves: reset || areOthers ? [] : moves,
      reset: reset || areOthers,
      ...(newestRows > 0 && { newest: this.rows(end - newestRows, end) }),
      counts: feed.counts,
      paused: feed.paused,
      filtering: feed.filtering,
      loadingOlder: feed.loadingOlder,
      hasOlder: feed.hasOlder,
    };
  }

  private labelOf(part: PartId): string {
    return this.labels.get(part) ?? part;
  }

  private gapText(gap: LogGap): string {
    const isOfAll = gap.parts.length >= this.parts.length;
    return this.options.gapText(gap, isOfAll ? [] : gap.parts.map((part) => this.labelOf(part)));
  }
}
