import { connectionId, organizationId, registryItemId } from '../../../../core/model/ids';
import type { RegistryItemType } from '../../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../../core/model/resourceTarget';
import { isOneOf, isShape, isString, parsedAs } from '../../../../shared/guards';

interface StoredPanel {
  readonly connection: string;
  readonly organization: string;
  readonly item: string;
  readonly type: RegistryItemType;
  readonly name: string;
}

const isStored = isShape<StoredPanel>({
  connection: isString,
  organization: isString,
  item: isString,
  name: isString,
  type: isOneOf('archive', 'mlModel', 'module', 'slamMap', 'trainingScript', 'unknown'),
});

/** Serializes the item of a page for its webview state. */
export function describePanel(target: RegistryItemTarget): string {
  const { connectionId: connection, organizationId: organization, itemId, itemType, name } = target;
  const stored: StoredPanel = { connection, organization, item: itemId, type: itemType, name };
  return JSON.stringify(stored);
}

/** Parses a serialized item; undefined if invalid, for example from another version. */
export function describedPanel(description: string): RegistryItemTarget | undefined {
  const stored = parsedAs(description, isStored);
  if (!stored) return undefined;
  return {
    kind: 'registryItem',
    connectionId: connectionId(stored.connection),
    organizationId: organizationId(stored.organization),
    itemId: registryItemId(stored.item),
    itemType: stored.type,
    name: stored.name,
  };
}
