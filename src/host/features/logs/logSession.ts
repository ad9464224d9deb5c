import { Disposable } from '../../../base/disposable';
import { type FeedPart, LogFeed } from '../../../core/logs/logFeed';
import {
  type FilterProblem,
  type LineFilter,
  type LogGap,
  type LogItem,
  type MatchPattern,
  PatternTooSlowError,
} from '../../../core/logs/logItem';
import type { LogMessages } from '../../../core/logs/partTail';
import { type ConnectionId, type PartId, partId } from '../../../core/model/ids';
import type { PartTarget } from '../../../core/model/resourceTarget';
import type { Clock, Logger, Sleep } from '../../../core/ports';
import {
  everyLine,
  type LogChange,
  type LogFilter,
  type LogPart,
  type LogRows,
} from '../../../shared/logs';
import type { SessionProvider } from '../../platform/sessionProvider';
import { TrackedParts } from './trackedParts';
import type { LineLabels } from './lineText';
import {
  createMatchFinder,
  type FindMatches,
  logRows,
  runnerWithin,
  type RunWithin,
} from './logRowView';
import { describePanel } from './panelDescription';
import { displayName, toDisplayText } from '../../../core/model/displayText';
import { toRecoveryAction } from '../../../shared/recoveryAction';

/**
 * Maximum time, in milliseconds, for matching a regular expression against one batch of lines; a
 * typical expression takes one percent of this time.
 */
const PATTERN_LIMIT_MS = 1_000;
/** Maximum time in milliseconds for finding the matches in the rows of one screen. */
const MATCH_LIMIT_MS = 100;

export interface LogSessionOptions {
  readonly sessions: SessionProvider;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly log: Logger;
  /** Maximum number of lines in memory. */
  readonly limit: number;
  /**
   * Describes a gap.
   * @param labels the affected parts' labels; empty if the gap affects all parts.
   */
  readonly gapText: (gap: LogGap, labels: readonly string[]) => string;
  readonly logMessages: LogMessages;
}

/** A log panel's state, independent of its page: parts with their names, lines, and a filter. */
export class LogSession extends Disposable {
  readonly followed: TrackedParts;
  readonly feed: LogFeed;
  readonly filter: PanelFilter;
  private labels: ReadonlyMap<PartId, string>;

  constructor(
    connectionId: ConnectionId,
    parts: readonly PartTarget[],
    private readonly options: LogSessionOptions,
  ) {
    super();
    const { sessions, clock, sleep, limit, log, logMessages } = options;
    this.followed = this.register(new TrackedParts(sessions, connectionId, parts));
    this.labels = partLabels(parts);
    this.feed = this.register(
      new LogFeed({
        clock,
        sleep,
        limit,
        logger: log,
        messages: logMessages,
        source: () => sessions.stores(connectionId).logs,
        random: Math.random,
        matchPattern: patternMatcher(runnerWithin(PATTERN_LIMIT_MS)),
        yieldToEventLoop: () => new Promise((resolve) => setImmediate(resolve)),
      }),
    );
    this.filter = new PanelFilter(this.feed, runnerWithin(MATCH_LIMIT_MS));
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

  /** Parts whose lines the filter shows, in order. */
  get shownParts(): readonly PartTarget[] {
    const { parts: shown } = this.filter.current;
    return shown ? this.parts.filter(({ partId: id }) => shown.includes(id)) : this.parts;
  }

  /** The parts' labels, in order. */
  get names(): readonly string[] {
    return this.parts.map(({ partId }) => this.getLabel(partId));
  }

  /** Serialized parts for restoring the panel. */
  get description(): string {
    return describePanel(this.followed.connectionId, this.parts);
  }

  /** Returns the state of each part, in order. */
  states(stateLabels: StateLabels): readonly LogPart[] {
    const { feed, labels, followed, options } = this;
    const isSilent = options.sessions.isSilent(followed.connectionId);
    return partStates(feed.parts, labels, stateLabels, isSilent);
  }

  /** Data for formatting lines. */
  readonly lineLabels: LineLabels = {
    part: ({ part }) => this.followed.find(part),
    label: ({ part }) => this.getLabel(part),
    gap: (gap) => this.formatGap(gap),
  };

  add(parts: readonly PartTarget[]): void {
    this.followed.add(parts);
    this.feed.add(parts.map(({ partId }) => partId));
  }

  remove(id: PartId): void {
    this.feed.remove(id);
    this.followed.remove(id);
  }

  /** Returns all items that pass the filter, in the order of the rows. */
  shown(): readonly LogItem[] {
    return this.feed.shown();
  }

  /** Returns the available rows in an index range. */
  rows(start: number, end: number): LogRows {
    const found = this.feed.rows(start, end);
    const rows = logRows(found.items, this.filter.findMatches, (gap) => this.formatGap(gap));
    return { start: found.start, rows };
  }

  /**
   * Returns the changes since the last call, including the newest rows.
   * @param reset true to return the complete state.
   */
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

  private getLabel(part: PartId): string {
    return this.labels.get(part) ?? part;
  }

  private formatGap(gap: LogGap): string {
    const affectsAll = this.parts.every(({ partId: id }) => gap.parts.includes(id));
    return this.options.gapText(
      gap,
      affectsAll ? [] : gap.parts.map((part) => this.getLabel(part)),
    );
  }
}

/** Returns a matcher whose time limit applies to all strings together. */
export function patternMatcher(runWithin: RunWithin): MatchPattern {
  return (pattern, texts) => {
    if (texts.length === 0) return [];
    const done = runWithin(() => texts.map((text) => pattern.test(text)));
    if (!done) throw new PatternTooSlowError(`${String(pattern)} takes too long.`);
    return done.result;
  };
}

const MAX_REASON_LENGTH = 500;

/** Labels for part states that are not errors. */
type StateLabels = Readonly<Record<'connecting' | 'live' | 'silent', string>>;

/** Returns the states of a panel's parts as plain values that can be sent to a webview. */
function partStates(
  parts: readonly FeedPart[],
  labels: ReadonlyMap<PartId, string>,
  stateLabels: StateLabels,
  isSilent: boolean,
): readonly LogPart[] {
  return parts.map(({ id, state }) => ({
    key: id,
    label: labels.get(id) ?? id,
    state: isSilent && !('error' in state) ? 'silent' : state.kind,
    detail:
      'error' in state
        ? toDisplayText(state.error.message, MAX_REASON_LENGTH)
        : stateLabels[isSilent ? 'silent' : state.kind],
    ...('error' in state && { recovery: toRecoveryAction(state.error.action) }),
    ...(state.kind === 'retrying' && { retryAt: state.retryAt.getTime() }),
  }));
}

const SHORT_ID_LENGTH = 8;

/**
 * Returns a unique label for each part. A main part is labeled with the machine's name, because the
 * service names main parts after their machines. Any other part is labeled `machine › part`.
 * Duplicate labels also contain the start of the ID.
 */
export function partLabels(parts: readonly PartTarget[]): ReadonlyMap<PartId, string> {
  const plain = parts.map((part) => plainLabel(part));
  return new Map(
    parts.map((part, index) => {
      const label = plain[index] ?? '';
      const isTaken = plain.some((other, otherIndex) => otherIndex !== index && other === label);
      return [part.partId, isTaken ? `${label} (${shortId(part.partId)})` : label];
    }),
  );
}

function plainLabel({ machineId, machineName, partId, name }: PartTarget): string {
  const machine = displayName({ name: machineName, id: machineId });
  const isNamedAfterMachine = name === machineName || name === `${machineName}-main`;
  return isNamedAfterMachine ? machine : `${machine} › ${displayName({ name, id: partId })}`;
}

function shortId(id: PartId): string {
  return toDisplayText(id.slice(0, SHORT_ID_LENGTH));
}

/** Feed methods that the filter requires. */
export interface Filtered {
  setFilter(filter: LineFilter): Promise<FilterProblem | undefined>;
}

/** A panel's filter, in the form that its webview uses, and the filter's matches. */
class PanelFilter {
  private applied = everyLine;
  private finder: FindMatches;
  private requested: LogFilter | undefined;

  constructor(
    private readonly feed: Filtered,
    private readonly runWithin: RunWithin,
  ) {
    this.finder = createMatchFinder(everyLine, runWithin);
  }

  get current(): LogFilter {
    return this.applied;
  }

  readonly findMatches: FindMatches = (texts) => this.finder(texts);

  /** Applies a restored page's filter, which can be the current filter or a discarded one. */
  async restore(filter: LogFilter): Promise<void> {
    if (JSON.stringify(filter) !== JSON.stringify(this.applied)) await this.apply(filter);
  }

  /**
   * Applies a filter, unless another filter replaces it first. An invalid filter changes nothing.
   */
  async apply(filter: LogFilter): Promise<FilterProblem | undefined> {
    this.requested = filter;
    const problem = await this.feed.setFilter(toLineFilter(filter));
    if (problem || this.requested !== filter) return problem;
    this.applied = filter;
    this.finder = createMatchFinder(filter, this.runWithin);
    return undefined;
  }
}

function toLineFilter({ levels, parts, text, isPattern, matchCase }: LogFilter): LineFilter {
  return {
    levels: new Set(levels),
    ...(parts && { parts: new Set(parts.map(partId)) }),
    text,
    isPattern,
    matchCase,
  };
}
