import { toFleetError } from '../../../../core/api/errors';
import type { QueryLanguage } from '../../../../core/model/query';
import type { OrganizationTarget } from '../../../../core/model/resourceTarget';
import type { Clock, Logger } from '../../../../core/ports';
import type { QueryRun } from '../../../../core/query/queryRun';
import type { QueryHistory } from './queryHistory';

/** Executed query. */
export interface RanQuery {
  readonly target: OrganizationTarget;
  readonly language: QueryLanguage;
  /** Text as written, without the parameter values. */
  readonly text: string;
  readonly run: Pick<QueryRun, 'ended' | 'status'>;
}

export interface RecorderOptions {
  readonly history: Pick<QueryHistory, 'add'>;
  /** Returns true if the user has enabled the history. */
  readonly isOn: () => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Adds queries to the history when they have finished. */
export class QueryRecorder {
  constructor(private readonly options: RecorderOptions) {}

  /**
   * Resolves when the query has been saved. Failures are only logged and don't affect the query.
   */
  async record({ target, language, text, run }: RanQuery): Promise<void> {
    const { history, isOn, clock, log } = this.options;
    const at = clock.now().getTime();
    await run.ended;
    if (!isOn()) return;
    const { state, rows, elapsedMs } = run.status;
    const isWhole = state === 'complete' || state === 'full';
    try {
      await history.add(target.connectionId, {
        ...{ language, text, at },
        ...(isWhole && { rows, elapsedMs: Math.round(elapsedMs) }),
      });
    } catch (error) {
      log.warn('A query could not be saved.', { reason: toFleetError(error).message });
    }
  }
}
