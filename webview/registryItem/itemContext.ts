import type { RegistryItemProtocol } from '../../src/shared/registryItem';
import type { RegistryItemStrings } from '../../src/shared/registryItemStrings';
import type { HostConnection } from '../messaging/hostConnection';

/** What every part of the page works with. */
export interface ItemContext {
  readonly host: HostConnection<RegistryItemProtocol>;
  readonly strings: RegistryItemStrings;
  readonly locale: string;
}
