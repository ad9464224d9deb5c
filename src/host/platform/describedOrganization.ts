import { connectionId, organizationId } from '../../core/model/ids';
import type { OrganizationTarget } from '../../core/model/resourceTarget';
import { isShape, isString, parsedAs } from '../../shared/guards';

interface StoredPanel {
  readonly connection: string;
  readonly organization: string;
  readonly name: string;
}

const isStored = isShape<StoredPanel>({
  ...{ connection: isString, organization: isString, name: isString },
});

/** The organization that a panel is of, as text that its webview keeps. */
export function describeOrganization(target: OrganizationTarget): string {
  const { connectionId: connection, organizationId: organization, name } = target;
  const stored: StoredPanel = { connection, organization, name };
  return JSON.stringify(stored);
}

/** What a description says; nothing when it is not understood, as one of another version may be. */
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
