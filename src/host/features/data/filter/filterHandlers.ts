import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import type { BrowsableTarget } from '../../../../manifest/commandArguments';
import type { FilterField } from '../../../../shared/data/dataFilter';
import type { DataTab } from '../../../../shared/data/dataPanel';
import type { filterMessages } from '../../../../shared/data/filterMessages';
import type { HostHandlers } from '../../../../shared/protocol';
import type { Commands } from '../../../platform/commands/commandRegistry';
import { showStatusMessage } from '../../../platform/commands/statusMessage';
import type { PickTarget } from '../../../platform/prompts/targetPicker';
import { dataLink, type DataView, getOwner } from '../panelDescription';
import type { DataSession } from '../dataSession';
import { FilterCompletions, filterQuery, narrowedTo } from './filterQuery';
import { pickSavedFilter, saveFilter } from './savedFilterPick';
import type { SavedFilters } from './savedFilters';
import { organizationId } from '../../../../core/model/ids';
import { locationsInside } from './toCaptureFilter';

function tooLongForLink(): FleetError {
  const message = vscode.l10n.t(
    'This filter is too long for a link. Save it under a name instead.',
  );
  return new FleetError('invalid', message);
}

export interface FilterTools {
  readonly session: DataSession;
  /** Target for which the panel was opened. */
  readonly target: BrowsableTarget;
  readonly tab: () => DataTab;
  /** Shows a view in the panel. */
  readonly open: (view: Pick<DataView, 'filter' | 'tab'>) => Promise<void>;
  readonly pickTarget: PickTarget;
  readonly commands: Pick<Commands, 'execute'>;
  readonly savedFilters: SavedFilters;
  readonly serviceUrl: () => string | undefined;
}

/** Returns the handlers for a panel's filter messages. */
export function filterHandlers(tools: FilterTools): HostHandlers<typeof filterMessages> {
  const { session, target, tab, pickTarget, savedFilters } = tools;
  const completions = new FilterCompletions();
  const { connectionId } = session;
  const view = (): { target: BrowsableTarget; filter: typeof session.filter; tab: DataTab } => ({
    target,
    filter: session.filter,
    tab: tab(),
  });
  return {
    promptForFilterTarget: async ({ kind }) => {
      const picked = await pickTarget(kind, connectionId);
      const owner = await getOwner(session.stores, picked);
      await session.apply(narrowedTo(session.filter, picked, owner));
    },
    complete: ({ field, text }) => completions.complete(session.current, field, text),
    saveFilter: () => saveFilter(savedFilters, view()),
    openSavedFilter: async () => tools.open(await pickSavedFilter(savedFilters, connectionId)),
    queryReadings: () => queryFilter(session, target, tools.commands),
    copyLink: async () => {
      const link = dataLink(vscode.env.uriScheme, { ...view(), service: tools.serviceUrl() ?? '' });
      if (link === undefined) throw tooLongForLink();
      await vscode.env.clipboard.writeText(link);
      showStatusMessage(vscode.l10n.t('Copied the link to this view'));
    },
  };
}

/**
 * Opens a query for the readings that match a panel's filter, and reports the fields that the query
 * can't express.
 * @throws FleetError
 */
async function queryFilter(
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
  const names = getFieldNames();
  const { text, inexpressible: unsaid } = filterQuery(filter, locations, (fields) =>
    vscode.l10n.t(
      "Filters that don't apply to this query: {0}",
      fields.map((field) => names[field]).join(', '),
    ),
  );
  await commands.execute('fleetwright.query.openText', {
    organization: { kind: 'organization', connectionId, organizationId: id, name },
    language: 'sql',
    text,
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

/** Returns the names of the filter's fields. */
function getFieldNames(): Readonly<Record<FilterField, string>> {
  return {
    organization: vscode.l10n.t('Organization'),
    location: vscode.l10n.t('Location'),
    machine: vscode.l10n.t('Machine'),
    part: vscode.l10n.t('Part'),
    machineName: vscode.l10n.t('Machine Name'),
    partName: vscode.l10n.t('Part Name'),
    componentName: vscode.l10n.t('Component Name'),
    componentType: vscode.l10n.t('Component Type'),
    method: vscode.l10n.t('Method'),
    mimeType: vscode.l10n.t('MIME Type'),
    time: vscode.l10n.t('Captured'),
    tags: vscode.l10n.t('Tags'),
    labels: vscode.l10n.t('Labels'),
    dataset: vscode.l10n.t('Dataset'),
  };
}
