import type { FilterProblem, LineFilter } from '../../../core/logs/lineFilter';
import { partId } from '../../../core/model/ids';
import { everyLine, type LogFilter } from '../../../shared/logs';
import { type FindPlaces, placeFinder } from './foundPlaces';
import type { RunWithin } from './runWithin';

/** The part of a feed that is filtered. */
export interface Filtered {
  setFilter(filter: LineFilter): Promise<FilterProblem | undefined>;
}

/** The filter of a panel as its webview knows it, and what it finds. */
export class PanelFilter {
  private applied = everyLine;
  private finder: FindPlaces;
  private asked: LogFilter | undefined;

  constructor(
    private readonly feed: Filtered,
    private readonly runWithin: RunWithin,
  ) {
    this.finder = placeFinder(everyLine, runWithin);
  }

  get current(): LogFilter {
    return this.applied;
  }

  readonly findPlaces: FindPlaces = (texts) => this.finder(texts);

  /** Applies the filter that a page had, which may be the one that is there, or one that was given up. */
  async restore(filter: LogFilter): Promise<void> {
    if (JSON.stringify(filter) !== JSON.stringify(this.applied)) await this.apply(filter);
  }

  /** Applies a filter, unless another one comes in the meantime; with a problem everything stays as it is. */
  async apply(filter: LogFilter): Promise<FilterProblem | undefined> {
    this.asked = filter;
    const problem = await this.feed.setFilter(lineFilterOf(filter));
    if (problem || this.asked !== filter) return problem;
    this.applied = filter;
    this.finder = placeFinder(filter, this.runWithin);
    return undefined;
  }
}

function lineFilterOf({ levels, parts, text, isPattern, matchCase }: LogFilter): LineFilter {
  return {
    levels: new Set(levels),
    ...(parts && { parts: new Set(parts.map(partId)) }),
    text,
    isPattern,
    matchCase,
  };
}
