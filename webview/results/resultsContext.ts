import type { MethodOf, ParamsOf, ResultOf } from '../../src/shared/protocol';
import type { ResultProtocol } from '../../src/shared/query/results';
import type { ResultStrings } from '../../src/shared/query/resultStrings';
import type { KeptViews } from '../ui/keptViews';

/** The messages about results, among whatever else a page and its host say. */
export interface ResultsHost {
  request<K extends MethodOf<ResultProtocol, 'request'>>(
    method: K,
    params: ParamsOf<ResultProtocol, K>,
    signal?: AbortSignal,
  ): Promise<ResultOf<ResultProtocol, K>>;
  send<K extends MethodOf<ResultProtocol, 'command'>>(
    method: K,
    params: ParamsOf<ResultProtocol, K>,
  ): void;
}

/** What every part of a result's page works with. */
export interface ResultsContext {
  readonly host: ResultsHost;
  readonly strings: ResultStrings;
  readonly locale: string;
  /** The page has a Cancel button of its own. */
  readonly hasCancel?: boolean | undefined;
  /** Shows the lines of the file that were run; absent where a result has no file. */
  readonly showSource?: (() => void) | undefined;
  /** What survives a reload of the window. */
  readonly kept: KeptViews;
  /** Says something to screen readers. */
  readonly announce: (text: string) => void;
}
