import type { QueryFrameStrings } from '../../src/shared/query/queryFrameStrings';
import type { QueryProtocol } from '../../src/shared/query/queryProtocol';
import type { HostConnection } from '../messaging/hostConnection';

/** What every part of the frame works with. */
export interface QueryContext {
  readonly host: HostConnection<QueryProtocol>;
  readonly strings: QueryFrameStrings;
  readonly locale: string;
}
