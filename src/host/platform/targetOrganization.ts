import { connectionId, organizationId } from '../../core/model/ids';
import type { OrganizationTarget } from '../../core/model/resourceTarget';
import { type Guarded, isShape, isString, parsedAs } from '../../shared/guards';

const isStored = isShape({
  connection: isString,
  organization: isString,
  name: isString,
});
type StoredPanel = Guarded<typeof isStored>;

/** Serializes a panel's organization for its webview state. */
export function describeOrganization(target: OrganizationTarget): string {
  const { connectionId: connection, organizationId: organization, name } = target;
  const stored: StoredPanel = { connection, organization, name };
  return JSON.stringify(stored);
}

/** Parses a serialized organization; undefined if invalid, for example from another version. */
export function describedOrganization(description: string): OrganizationTarget | undefined {
  const stored = parsedAs(description, isStored);
  if (!stored) return undefined;
  return {
    kind: 'organization',
    connectionId: connectionId(stored.connection),
    organizationId: organizationId(stored.organization),
    name: stored.name,
  };
}
