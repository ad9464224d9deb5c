import { connectionId, organizationId, registryItemId } from '../../../../core/model/ids';
import type { RegistryItemTarget } from '../../../../core/model/resourceTarget';
import { type Guarded, isOneOf, isShape, isString, parsedAs } from '../../../../shared/guards';

const isStored = isShape({
  connection: isString,
  organization: isString,
  item: isString,
  type: isOneOf('archive', 'mlModel', 'module', 'slamMap', 'trainingScript', 'unknown'),
  name: isString,
});
type StoredPanel = Guarded<typeof isStored>;

/** Serializes a page's item for its webview state. */
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
