import type { RegistryItemProtocol } from '../../src/shared/registryItem';
import type { HostConnection } from '../messaging/hostConnection';

/** Context that all parts of the page share. */
export interface ItemContext {
  readonly host: HostConnection<RegistryItemProtocol>;
  readonly locale: string;
}
