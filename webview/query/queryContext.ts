import type { QueryProtocol } from '../../src/shared/query/queryPanel';
import type { HostConnection } from '../messaging/hostConnection';

/** Context that all parts of the query panel share. */
export interface QueryContext {
  readonly host: HostConnection<QueryProtocol>;
  readonly locale: string;
}
