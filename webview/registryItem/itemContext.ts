import type { RegistryItemProtocol, RegistryItemStrings } from '../../src/shared/registryItem';
import type { HostConnection } from '../messaging/hostConnection';

/** Context that all parts of the page share. */
export interface ItemContext {
  readonly host: HostConnection<RegistryItemProtocol>;
  readonly strings: RegistryItemStrings;
  readonly locale: string;
}
