import type { FilterProblem, LineFilter } from '../../../core/logs/lineFilter';
import { partId } from '../../../core/model/ids';
import { everyLine, type LogFilter } from '../../../shared/logs';
import { type FindMatches, createMatchFinder } from './foundPlaces';
import type { RunWithin } from './runWithin';

/** Feed methods that the filter needs. */
export interface Filtered {
  setFilter(filter: LineFilter): Promise<FilterProblem | undefined>;
}

/** Filter of a panel, in the form that its webview uses, and the matches of the filter. */
export class PanelFilter {
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

  /** Applies the filter of a restored page, which can be the current filter or a discarded one. */
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
