import * as vscode from 'vscode';
import { organizationId } from '../../../../core/model/ids';
import type { BrowsableTarget } from '../../../../manifest/commands';
import type { Commands } from '../../../platform/commandRegistry';
import type { DataSession } from '../dataSession';
import { filterQuery } from './filterQuery';
import { filterStrings } from './filterStrings';
import { locationsInside } from './locationsInside';

/**
 * Opens a query for the readings that match a panel's filter, and reports the fields that the query
 * can't express.
 * @throws FleetError
 */
export async function queryFilter(
  { filter, stores, connectionId }: DataSession,
  target: BrowsableTarget,
  commands: Pick<Commands, 'execute'>,
): Promise<void> {
  const [chosen] = filter.organizations.map(organizationId);
  const id = chosen ?? target.organizationId;
  const [{ name }, locations] = await Promise.all([
    stores.organizations.get(id),
    locationsInside(stores, filter),
  ]);
  const names = filterStrings().fields;
  const { text, unsaid } = filterQuery(filter, locations, (fields) =>
    vscode.l10n.t('Not in this query: {0}', fields.map((field) => names[field]).join(', ')),
  );
  await commands.execute('fleetwright.query.openText', {
    organization: { kind: 'organization', connectionId, organizationId: id, name },
    ...{ language: 'sql', text },
  });
  if (unsaid.length === 0) return;
  const list = unsaid.map((field) => names[field]).join(', ');
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      'The query can return more rows because readings have no columns for these filters: {0}.',
      list,
    ),
  );
}
