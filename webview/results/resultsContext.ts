import type { MethodOf, ParamsOf, ResultOf } from '../../src/shared/protocol';
import type { ResultProtocol } from '../../src/shared/query/results';
import type { ViewStateStore } from '../ui/createViewStateStore';

/** The part of the protocol between a page and its host that is about results. */
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

/** Context that all parts of a result view share. */
export interface ResultsContext {
  readonly host: ResultsHost;
  readonly locale: string;
  /** True if the page has its own Cancel button. */
  readonly hasCancel?: boolean | undefined;
  /** Shows the query for editing; absent if the query is visible next to the result. */
  readonly editQuery?: (() => void) | undefined;
  /** Shows the lines in the file that were run; absent if the result doesn't come from a file. */
  readonly showSource?: (() => void) | undefined;
  /** State that survives window reloads. */
  readonly viewStates: ViewStateStore;
  /** Announces a message to screen readers. */
  readonly announce: (text: string) => void;
}
